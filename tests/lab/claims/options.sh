#!/bin/sh
# What OpenSM 3.3.23 makes of options, engines and side files, as docs/diagnostics.md tells it by the names of its rules.
#
# One line of `per_module_logging_file` with an unknown source file takes all lines behind it away; only that one is in the
# log. A dump of forwarding tables with multicast tables is used up to there. A root that is a CA is not named.
. "$(dirname "$0")/opensm.sh"
# `opensm -c` reads the options and writes those that it goes on with.
made() { # RULE OPTIONS LINE
  printf "$2" > c.conf
  printf 'log_file %s/opensm.log\n' "$work" >> c.conf
  opensm -F c.conf -c made.conf > out 2>&1 || true
  grep -qx "$3 *" made.conf || changed "$1: there is no line '$3'"
  echo "$1: $3"
}
unrecognized() { # RULE OPTIONS TOKEN
  made "$1" "$2" 'qos FALSE'
  grep -q "Unrecognized token: \"$3\"" out || changed "$1: $3 is recognised"
}
made bad-boolean 'qos maybe\n' 'qos FALSE'
made equals-sign 'qos = TRUE\n' 'qos FALSE'
made null-path 'root_guid_file null\n' 'root_guid_file null'
made value-of-nvidia 'fdr10 255\n' 'fdr10 1'
unrecognized equals-sign 'qos=TRUE\n' 'qos=TRUE'
unrecognized kernel-option 'set4x 1\n' set4x
unrecognized no-known-option 'some words\n' some

# One sweep with these options, and with a side file at FILE.
claim() { # RULE OPTIONS SIDE-FILE TABLES LOG
  printf "$2" | sed "s|FILE|$work/side|" > o.conf
  printf "$3" > side
  sweep -F o.conf
  tables=$(grep -o '[^ ]* tables configured' opensm.log | sed 's/ .*//')
  [ "$tables" = "$4" ] || changed "$1: tables are of $tables, not of $4"
  said=$(grep -oE 'Failed to setup routing engine|LMC > 0 is not supported|Module name .* not found|PARSE ERROR|ERR [0-9A-F]{4}|no root nodes were found' opensm.log | tr '\n' ',' | sed 's/,$//')
  [ "${said:--}" = "$5" ] || changed "$1: the log says ${said:--}, not $5"
  echo "$1: tables of $4${said:+ ($said)}"
}
claim unknown-engine 'routing_engine magic,updn\n' '' updn 'Failed to setup routing engine'
claim chain-not-alone 'routing_engine chain,updn\n' '' updn 'Failed to setup routing engine'
claim chain-without-file 'routing_engine chain\n' '' minhop 'Failed to setup routing engine'
claim engine-without-lmc 'routing_engine ftree\nlmc 2\n' '' minhop 'LMC > 0 is not supported'
claim falls-back-to-minhop 'routing_engine ftree\n' '' minhop '-'
claim table-files-unset 'routing_engine file\n' '' file '-'
claim root-is-no-switch 'routing_engine updn\nroot_guid_file FILE\n' '0x100002\n' minhop 'no root nodes were found'
claim no-guid 'routing_engine updn\nroot_guid_file FILE\n' '# none\n' minhop 'no root nodes were found'
head='Unicast lids [0x0-0x4] of switch Lid 2 guid 0x0000000000200000 (S1):\n'
dump='routing_engine file\nlfts_file FILE\n'
claim dump-bad-entry "$dump" "${head}0x0001 zz : ()\n" minhop 'PARSE ERROR'
claim dump-bad-switch "$dump" 'Unicast lids of switch S1:\n0x0001 001 : ()\n' minhop 'PARSE ERROR'
claim dump-bad-switch "$dump" '0x0001 001 : ()\n' file '-'
claim dump-multicast "$dump" "${head}0x0001 001 : ()\nMulticast mlids [0xc000-0xc001] of switch Lid 2 guid 0x0000000000200000 (S1):\n" file 'ERR 6303'
modules='per_module_logging_file FILE\n'
claim unknown-module "$modules" 'osm_state_mgr.c 0xff\n' minhop '-'
grep -q state_mgr opensm.log || changed "unknown-module: a known module does not log"
claim unknown-module "$modules" 'osm_nope.c 3\nosm_none.c 3\nosm_state_mgr.c 0xff\n' minhop 'Module name osm_nope.c not found'
! grep -q state_mgr opensm.log || changed "unknown-module: lines behind an unknown module are read"
