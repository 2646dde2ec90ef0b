# Prints what ibutils' own parser makes of topology files, one element a line:
#
#   ibdmsh ibdm_fabric.tcl FILE...          IBDM_IBNL_PATH adds directories of IBNL files
#
#   topo FILE STATUS                        0 if the parser is content
#   node SYSTEM/BOARD/NODE KIND PORTS DEVICE
#   link NODE PORT NODE PORT WIDTH SPEED    the smaller end first
#   end
#
# Other lines are the parser's own messages.
proc print_fabric {file} {
  set fabric [new_IBFabric]
  set status [IBFabric_parseTopology $fabric $file]
  puts "topo $file $status"
  foreach entry [IBFabric_NodeByName_get $fabric] {
    lassign $entry name node
    puts "node $name [expr {[IBNode_type_get $node] == 1 ? "CA" : "SW"}] [IBNode_numPorts_get $node] [IBNode_devId_get $node]"
    for {set number 1} {$number <= [IBNode_numPorts_get $node]} {incr number} {
      set port [IBNode_getPort $node $number]
      set peer [expr {$port eq "" ? "" : [IBPort_p_remotePort_get $port]}]
      # port:FABRIC:NODE/NUMBER
      if {![regexp {^port:\d+:(.*)/(\d+)$} $peer whole peer_name peer_number]} continue
      if {[string compare $name $peer_name] > 0 || ($name eq $peer_name && $number > $peer_number)} continue
      puts "link $name $number $peer_name $peer_number [IBPort_width_get $port] [IBPort_speed_get $port]"
    }
  }
  puts "end"
}
foreach file $argv { print_fabric $file }
