# Asks a subnet administration for each component of each record, alone and with others:
#
#   ibis masks.tcl            prints RECORD EXAMPLE MASK COUNT NAME... for each question,
#                             and before RECORD NAME = FIELD VALUE... for each record of the table
#
# A question has the values of an example, a record of the whole table.
ibis_opts configure -log_file /dev/null
ibis_opts configure -sm_key 1
ibis_init
ibis_set_port [lindex [lindex [ibis_get_local_ports_info] 0] 0]
ibis_set_transaction_timeout 4000

# Record, what is embedded in it, components, and the fields that name a record.
set records {
  {Node   Node   {node_info NodeInfo}  15 {lid}}
  {Port   Port   {port_info PortInfo}  49 {lid port_num}}
  {Sm     Sm     {sm_info SmInfo}       7 {lid}}
  {Sw     Sw     {switch_info SwInfo}  17 {lid}}
  {Link   Link   {}                     4 {from_lid from_port_num to_lid to_port_num}}
  {Path   Path   {}                    22 {sgid dgid slid dlid}}
  {LFT    LFT    {}                     2 {lid block_num}}
  {MCM    MCM    {}                    18 {mgid port_gid}}
  {SLVl   SlVl   {}                     3 {lid in_port_num out_port_num}}
  {VlArb  VlArb  {}                     3 {lid port_num block_num}}
  {PKey   PKey   {}                     3 {lid block_num port_num}}
  {Guid   Guid   {guid_info GuidInfo}  12 {lid block_num}}
}

proc fields {object} {
  catch {$object configure} told
  return [string map {- {}} [string trim $told "{} "]]
}

# Gives `query` the scalar fields of an object of `class`.
proc copy {class from query} {
  foreach field [fields $query] {
    set value [sac${class}_${field}_get $from]
    if {![regexp {^[a-z]+:\d+$} $value]} {catch {$query configure -$field $value}}
  }
}

proc name {class keys record} {
  set values {}
  foreach key $keys {lappend values [sac${class}Rec_${key}_get $record]}
  return [join $values /]
}

# Always the same numbers.
set drawn 1
proc draw {below} {
  global drawn
  set drawn [expr {($drawn * 1103515245 + 12345) & 0x7fffffff}]
  return [expr {($drawn >> 8) % $below}]
}

proc masks {components} {
  set masks [list 0]
  for {set bit 0} {$bit < $components} {incr bit} {lappend masks [expr {1 << $bit}]}
  for {set i 0} {$i < 2 * $components} {incr i} {
    set mask 0
    for {set bits [expr {2 + [draw 3]}]} {$bits > 0} {incr bits -1} {set mask [expr {$mask | 1 << [draw $components]}]}
    lappend masks $mask
  }
  return $masks
}

foreach row $records {
  lassign $row word class embedded components keys
  set query sac${word}Query
  if {$embedded ne ""} {
    lassign $embedded member inner
    sac$inner inner_of_$word -this [$query cget -$member]
  }
  foreach record [$query getTable 0] {
    set told {}
    foreach field [fields $query] {lappend told $field [sac${class}Rec_${field}_get $record]}
    if {$embedded ne ""} {
      set part [sac${class}Rec_${member}_get $record]
      foreach field [fields inner_of_$word] {lappend told $field [sac${inner}_${field}_get $part]}
    }
    puts "$word [name $class $keys $record] = $told"
  }
  set named {}
  foreach record [$query getTable 0] {lappend named [list [name $class $keys $record] $record]}
  set all {}
  foreach pair [lsort -index 0 $named] {lappend all [lindex $pair 1]}
  set count [llength $all]
  foreach example [lsort -unique -integer [list 0 [expr {$count / 3}] [expr {$count - 1}]]] {
    if {$count == 0} break
    set record [lindex $all $example]
    copy ${class}Rec $record $query
    if {$embedded ne ""} {copy $inner [sac${class}Rec_${member}_get $record] inner_of_$word}
    foreach number [masks $components] {
      set mask [format 0x%llx $number]
      set found [$query getTable $mask]
      set names {}
      foreach one $found {lappend names [name $class $keys $one]}
      puts "$word [name $class $keys $record] $mask [llength $found] [join [lsort $names]]"
    }
  }
}
flush stdout
ibis_exit
exit
