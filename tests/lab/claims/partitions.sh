#!/bin/sh
# What OpenSM 3.3.23 makes of mistakes in a partition file, as docs/diagnostics.md tells it by the names of its rules.
#
# A file that is refused leaves every port a full member of the default partition: partitions that were sound are open.
# A colon or a missing comma behind a membership is worse to find: no line in the log, and members are lost or limited.
. "$(dirname "$0")/opensm.sh"
# claim RULE TEXT KEYS LOG: the P_Keys of H1, H2 and H3, and what its log says; - for nothing.
claim() {
  printf "$2" > partitions.conf
  printf 'partition_config_file %s/partitions.conf\n' "$work" > o.conf
  sweep -F o.conf
  seen=$(for way in 0,1 0,1,2 0,1,3; do
    client smpquery pkeys -D "$way" 1 | tr ' ' '\n' | grep -E '^0x[0-9a-f]{4}$' | grep -v 0x0000 | sort | tr '\n' '+' | sed 's/+$/ /'
  done | sed 's/ $//')
  [ "$seen" = "$3" ] || changed "$1: keys are $seen, not $3"
  said=$(grep -oE 'PARSE ERROR: line [0-9]+: .*|ERR [0-9A-F]{4}' opensm.log | head -1 | sed 's/.*line [0-9]*: //')
  [ "${said:--}" = "$4" ] || changed "$1: the log says ${said:--}, not $4"
  echo "$1: $3${said:+ ($said)}"
}
claim abbreviated-keyword 'Default=0x7fff: ALL=full;\nB=0x7001: 0x100003=limi;\n' '0xffff 0x7001+0xffff 0xffff' '-'
claim ambiguous-keyword 'Default=0x7fff: ALL=full;\nB=0x7001: A=full;\n' '0xf001+0xffff 0xf001+0xffff 0xf001+0xffff' '-'
claim both-not-allowed 'Default=0x7fff: ALL=full;\nB=0x7001: 0x100003=both;\n' '0xffff 0xf001+0xffff 0xffff' '-'
claim chosen-pkey 'Default=0x7fff: ALL=full;\nB : ALL=full;\nC=0x0001: 0x100003=full;\n' '0x8001+0xffff 0x8001+0xffff 0x8001+0xffff' '-'
claim chosen-pkey 'Default=0x7fff: ALL=full;\nC=0x0005: 0x100003=full;\nC : 0x100005=full;\n' '0xffff 0x8005+0xffff 0x8005+0xffff' '-'
claim colon-among-members 'Default=0x7fff: ALL=full;\nB=0x7001: 0x100003=full: 0x100005=full;\n' '0xffff 0x7001+0xffff 0xffff' '-'
claim colon-before-flag 'Default=0x7fff: ALL=full;\nB=0x7001 : defmember=limited : 0x100003;\n' '0xffff 0xffff 0xffff' 'bad PortGUID'
claim comment-mark 'Default=0x7fff: ALL=full;\n//B=0x7001: ALL=full;\n' '0xf001+0xffff 0xf001+0xffff 0xf001+0xffff' '-'
claim comment-mark "Default=0x7fff: ALL=full;\\n' B=0x7001: ALL=full;\\n" '0xf001+0xffff 0xf001+0xffff 0xf001+0xffff' '-'
claim empty-flag 'Default=0x7fff: ALL=full;\nB=0x7001,, ipoib: ALL=full;\n' '0xf001+0xffff 0xf001+0xffff 0xf001+0xffff' '-'
claim empty-membership 'Default=0x7fff: ALL=full;\nB=0x7001: 0x100003=;\n' '0xffff 0xf001+0xffff 0xffff' '-'
claim empty-partition 'Default=0x7fff: ALL=full;\nB=0x7001: ;\n' '0xffff 0xffff 0xffff' '-'
claim empty-statement 'Default=0x7fff: ALL=full;\n;\nB=0x7001: ALL=full;\n' '0xffff 0xffff 0xffff' 'no partition definition found'
claim empty-statement 'Default=0x7fff: ALL=full;\nB=0x7001: ALL=full;;\nC=0x7002: ALL;\n' '0xffff 0xffff 0xffff' 'no partition definition found'
claim flag-among-members 'Default=0x7fff: ALL=full;\nB=0x7001: ALL=full, ipoib;\n' '0xffff 0xffff 0xffff' 'bad PortGUID'
claim flag-without-value 'Default=0x7fff: ALL=full;\nB=: ALL=full;\n' '0xffff 0xffff 0xffff' 'bad partition definition'
claim flag-without-value 'Default=0x7fff: ALL=full;\nB=0x7001, ipoib, mtu=: ALL=full;\n' '0xf001+0xffff 0xf001+0xffff 0xf001+0xffff' 'ERR 1B26'
claim guid-length 'Default=0x7fff: ALL=full;\nB=0x7001: 0x00000000000100003=full;\n' '0xffff 0xf001+0xffff 0xffff' '-'
claim guid-read-as-decimal 'Default=0x7fff: ALL=full;\nB=0x7001: 1048579=full;\n' '0xffff 0xf001+0xffff 0xffff' '-'
claim guid-without-prefix 'Default=0x7fff: ALL=full;\nB=0x7001: 100003abc=full;\n' '0xffff 0xffff 0xffff' 'bad PortGUID'
claim header-without-colon 'Default=0x7fff: ALL=full;\nB=0x7001 ALL=full;\n' '0xffff 0xffff 0xffff' 'no partition definition found'
claim long-partition-name 'Default=0x7fff: ALL=full;\nBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB=0x7001: ALL=full;\n' '0xf001+0xffff 0xf001+0xffff 0xf001+0xffff' '-'
claim member-behind-mgid 'Default=0x7fff: ALL=full;\nB=0x7001, ipoib:\n mgid=ff12:401b::1234,rate=3 0x100003=full;\n' '0xffff 0xffff 0xffff' '-'
claim membership-without-member 'Default=0x7fff: ALL=full;\nB=0x7001: 0x100003, =full;\n' '0xffff 0x7001+0xffff 0xffff' '-'
claim mgid-spelling 'Default=0x7fff: ALL=full;\nB=0x7001, ipoib:\n MGID=ff12:401b::1234,rate=3\n 0x100003=full;\n' '0xffff 0xffff 0xffff' 'bad PortGUID'
claim mgid-without-partition 'Default=0x7fff: ALL=full;\nmgid=ff12:401b::1234\n' '0xffff 0xffff 0xffff' 'bad partition definition'
claim missing-comma 'Default=0x7fff: ALL=full;\nB=0x7001: 0x100003 0x100005;\n' '0xffff 0xffff 0xffff' 'bad PortGUID'
claim missing-comma 'Default=0x7fff: ALL=full;\nB=0x7001: 0x100003=full 0x100005=full;\n' '0xffff 0x7001+0xffff 0xffff' '-'
claim missing-semicolon 'Default=0x7fff: ALL=full\nB=0x7001: ALL=full;\n' '0xffff 0xffff 0xffff' 'bad PortGUID'
claim no-default-partition 'B=0x7001: ALL=full;\n' '0xf001+0xffff 0x7fff+0xf001 0x7fff+0xf001' '-'
claim no-full-member 'Default=0x7fff: ALL=full;\nB=0x7001: ALL=limited;\n' '0x7001+0xffff 0x7001+0xffff 0x7001+0xffff' '-'
claim no-partition '# nothing\n' '0xffff 0xffff 0xffff' '-'
claim one-name-two-partitions 'Default=0x7fff: ALL=full;\nB=0x7001: ALL=full;\nB=0x7002: ALL=full;\n' '0xf001+0xf002+0xffff 0xf001+0xf002+0xffff 0xf001+0xf002+0xffff' '-'
claim one-partition-two-names 'Default=0x7fff: ALL=full;\nB=0x7001: 0x100003=full;\nC=0x7001: 0x100005=full;\n' '0xffff 0xf001+0xffff 0xf001+0xffff' '-'
claim overwritten-member 'Default=0x7fff: ALL=full;\nB=0x7001: 0x100003=full, 0x100003=limited;\n' '0xffff 0x7001+0xffff 0xffff' '-'
claim pkey-membership-bit 'Default=0x7fff: ALL=full;\nB=0xf001: 0x100003=limited;\n' '0xffff 0x7001+0xffff 0xffff' '-'
claim pkey-read-as-decimal 'Default=0x7fff: ALL=full;\nB=7001: ALL=full;\n' '0x9b59+0xffff 0x9b59+0xffff 0x9b59+0xffff' '-'
claim port-group-as-member 'Default=0x7fff: ALL=full;\nB=0x7001: hosts=full;\n' '0xffff 0xffff 0xffff' 'bad PortGUID'
claim repeated-flag 'Default=0x7fff: ALL=full;\nB=0x7001, defmember=full, defmember=limited: 0x100003;\n' '0xffff 0x7001+0xffff 0xffff' '-'
claim sm-not-full 'Default=0x7fff: ALL=limited;\n' '0x7fff 0x7fff 0x7fff' '-'
claim split-header 'Default=0x7fff: ALL=full;\nB=0x7001,\n ipoib: ALL=full;\n' '0xffff 0xffff 0xffff' 'no partition definition found'
claim unfinished-statement 'Default=0x7fff: ALL=full;\nB=0x7001: 0x100003=full, 0x100005' '0xffff 0xf001+0xffff 0x7001+0xffff' '-'
claim unknown-flag 'Default=0x7fff: ALL=full;\nB=0x7001, colour=red: ALL=full;\n' '0xf001+0xffff 0xf001+0xffff 0xf001+0xffff' '-'
claim unknown-member 'Default=0x7fff: ALL=full;\nB=0x7001: host5=full;\n' '0xffff 0xffff 0xffff' 'bad PortGUID'
claim unknown-membership 'Default=0x7fff: ALL=full;\nB=0x7001: 0x100003=most;\n' '0xffff 0x7001+0xffff 0xffff' '-'
claim unknown-partition-member 'Default=0x7fff: ALL=full;\nB=0x7001: 0xdead=full;\n' '0xffff 0xffff 0xffff' '-'
claim virtual-ports 'Default=0x7fff: ALL=full;\nB=0x7001: ALL_VCAS=full;\n' '0xffff 0xffff 0xffff' 'bad PortGUID'
claim lone-semicolon 'Default=0x7fff: ALL=full;\nB=0x7001: ALL=full\n;\n' '0xffff 0xffff 0xffff' 'no partition definition found'
claim colon-among-members 'Default=0x7fff: ALL=full;\nB=0x7001: 0x100003: 0x100005;\n' '0xffff 0xffff 0xffff' 'bad PortGUID'
