#!/bin/sh
# What OpenSM 3.3.23 makes of mistakes in a QoS policy, as docs/diagnostics.md tells it by the names of its rules.
#
# AC03 (it cannot be parsed) and AC04 (it contradicts itself) drop the whole policy, so every path gets the SL of its
# partition. A P_Key that no partition has is logged (AC14), and the policy stays; a second level of one name is not.
. "$(dirname "$0")/opensm.sh"
printf 'Default=0x7fff,ipoib: ALL=full;\nBlue=0x0010,ipoib: ALL=full;\nGuests=0x0011,ipoib: ALL=limited;\n' > partitions.conf
printf 'qos TRUE\nqos_policy_file %s/policy.conf\npartition_config_file %s/partitions.conf\n' "$work" "$work" > o.conf
# claim RULE TEXT ERRORS: those of the log, or -. OpenSM does not always know the ports of H2 when it reads the policy (an
# error in `H2/P9` is missing in about one run of three), so a claim has three tries.
claim() {
  printf "$2" > policy.conf
  for try in 1 2 3; do
    sweep -F o.conf
    seen=$(grep -oE 'ERR AC[0-9]+' opensm.log | sed 's/ERR //' | tr '\n' ' ' | sed 's/ $//')
    [ "${seen:--}" != "$3" ] || break
  done
  [ "${seen:--}" = "$3" ] || changed "$1: the log has ${seen:--}, not $3"
  echo "$1: ${seen:-taken}"
}
claim carriage-return 'qos-levels\r\n  qos-level\r\n    name: DEFAULT\r\n    sl: 0\r\n  end-qos-level\r\n  qos-level\r\n    name: gold\r\n    sl: 2\r\n  end-qos-level\r\nend-qos-levels\r\n' 'AC05 AC03'
claim bad-value 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: two\n  end-qos-level\nend-qos-levels\n' 'AC05 AC03'
claim comment-without-line-end 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2\n  end-qos-level\nend-qos-levels\n# last' 'AC05 AC03'
claim empty-section 'qos-ulps\nend-qos-ulps\nqos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2\n  end-qos-level\nend-qos-levels\n' 'AC05 AC03'
claim empty-section 'port-groups\nend-port-groups\nqos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2\n  end-qos-level\nend-qos-levels\n' 'AC05 AC03'
claim empty-value 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl:\n  end-qos-level\nend-qos-levels\n' 'AC05 AC03'
claim keyword-case 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  QoS-level\n    name: gold\n    sl: 2\n  end-qos-level\nend-qos-levels\n' 'AC05 AC03'
claim keyword-in-name 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: my-qos-level\n    sl: 2\n  end-qos-level\nend-qos-levels\n' 'AC05 AC03'
claim keyword-not-alone 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold sl: 2\n  end-qos-level\nend-qos-levels\n' 'AC05 AC03'
claim keyword-not-alone 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2 end-qos-level\nend-qos-levels\n' '-'
claim keyword-with-colon 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level:\n    name: gold\n    sl: 2\n  end-qos-level\nend-qos-levels\n' 'AC05 AC03'
claim misplaced-section 'qos-level\n name: DEFAULT\n sl: 0\nend-qos-level\n' 'AC05 AC03'
claim missing-colon 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl 2\n  end-qos-level\nend-qos-levels\n' 'AC05 AC03'
claim missing-default-level 'qos-levels\n  qos-level\n    name: bronze\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2\n  end-qos-level\nend-qos-levels\n' 'AC10 AC04'
claim missing-end 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2\nend-qos-levels\n' 'AC05 AC03'
claim missing-qualifier 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n  end-qos-level\nend-qos-levels\n' 'AC05 AC03'
claim missing-qualifier 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    sl: 2\n  end-qos-level\nend-qos-levels\n' 'AC05 AC03'
claim missing-qualifier 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2\n  end-qos-level\nend-qos-levels\nqos-match-rules\n  qos-match-rule\n    pkey: 0x10\n  end-qos-match-rule\nend-qos-match-rules\n' 'AC05 AC03'
claim placeholder 'qos-ulps\n  default : 0\n  any, target-port-guid OST1,OST2 : 1\nend-qos-ulps\n' 'AC05 AC03'
claim qos-port-not-in-fabric 'port-groups\n port-group\n name: G\n port-name: "Hx HCA-1/P1"\n end-port-group\nend-port-groups\nqos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2\n  end-qos-level\nend-qos-levels\n' '-'
claim qos-port-not-in-fabric 'port-groups\n port-group\n name: G\n port-name: H2/P9\n end-port-group\nend-port-groups\nqos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2\n  end-qos-level\nend-qos-levels\n' 'AC05 AC03'
claim rate-limit-beyond-opensm 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2\n    rate-limit: 23\n  end-qos-level\nend-qos-levels\n' 'AC05 AC03'
claim rate-limit-beyond-opensm 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2\n    rate-limit: 22\n  end-qos-level\nend-qos-levels\n' '-'
claim repeated-qualifier 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2\n    sl: 3\n  end-qos-level\nend-qos-levels\n' 'AC05 AC03'
claim stray-end 'end-qos-level\nqos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2\n  end-qos-level\nend-qos-levels\n' 'AC05 AC03'
claim too-few-full-members 'qos-ulps\n  default : 0\n  ipoib, pkey 0x11 : 3\nend-qos-ulps\n' 'AC05 AC03'
claim ulp-criterion 'qos-ulps\n  default : 0\n  srp : 2\nend-qos-ulps\n' 'AC05 AC03'
claim ulp-criterion 'qos-ulps\n  default : 0\n  sdp, target-port-guid 0x100003 : 2\nend-qos-ulps\n' 'AC05 AC03'
claim undefined-qos-group 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2\n  end-qos-level\nend-qos-levels\nqos-match-rules\n  qos-match-rule\n    source: Nope\n    qos-level-name: gold\n  end-qos-match-rule\nend-qos-match-rules\n' 'AC12 AC04'
claim undefined-qos-level 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2\n  end-qos-level\nend-qos-levels\nqos-match-rules\n  qos-match-rule\n    pkey: 0x10\n    qos-level-name: gild\n  end-qos-match-rule\nend-qos-match-rules\n' 'AC11 AC04'
claim unknown-pkey 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2\n  end-qos-level\nend-qos-levels\nqos-match-rules\n  qos-match-rule\n    pkey: 0x30\n    qos-level-name: gold\n  end-qos-match-rule\nend-qos-match-rules\n' 'AC14'
claim unknown-pkey 'qos-ulps\n  default : 0\n  ipoib, pkey 0x30 : 3\nend-qos-ulps\n' 'AC05 AC03'
claim unknown-qualifier 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2\n    colour: red\n  end-qos-level\nend-qos-levels\n' 'AC05 AC03'
claim unknown-ulp 'qos-ulps\n  default : 0\n  http : 2\nend-qos-ulps\n' 'AC05 AC03'
claim unsupported-qos-criterion 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2\n  end-qos-level\nend-qos-levels\nqos-match-rules\n  qos-match-rule\n    port-gid: fe80::1\n    qos-level-name: gold\n  end-qos-match-rule\nend-qos-match-rules\n' 'AC05 AC03'
claim duplicate-qos-group 'port-groups\n port-group\n name: G\n port-guid: 0x100003\n end-port-group\n port-group\n name: G\n port-guid: 0x100005\n end-port-group\nend-port-groups\nqos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: gold\n    sl: 2\n  end-qos-level\nend-qos-levels\n' '-'
claim duplicate-qos-level 'qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 0\n  end-qos-level\n  qos-level\n    name: DEFAULT\n    sl: 2\n  end-qos-level\nend-qos-levels\n' '-'
