#!/bin/sh
# prometheus-node-exporter 1.5.0 has no InfiniBand metric of any adapter when one adapter has no folder `counters`.
#
# The irdma driver of Linux makes none, for example. The state of all ports is lost with it, also that of adapters
# which have counters. An alert on ports that are down then has nothing to judge.
set -eu
exporter=''
work=$(mktemp -d)
cd "$work"
trap 'kill $exporter 2>/dev/null || true; rm -rf "$work"' EXIT
# The pinned package of Debian 12, in a folder of this run.
apt-get -qq download prometheus-node-exporter=1.5.0-1+b6 2>/dev/null ||
  { echo "not checked: apt-get has no prometheus-node-exporter=1.5.0-1+b6" >&2; exit 2; }
for package in *.deb; do dpkg -x "$package" root; done
changed() { echo "changed: $*" >&2; exit 1; }
# An adapter as the kernel shows it.
adapter() { # NAME
  port="sys/class/infiniband/$1/ports/1"
  mkdir -p "$port/counters"
  echo MT4115 > "sys/class/infiniband/$1/hca_type"
  echo 12.28.2006 > "sys/class/infiniband/$1/fw_ver"
  echo MT_2180110032 > "sys/class/infiniband/$1/board_id"
  echo '4: ACTIVE' > "$port/state"
  echo '5: LinkUp' > "$port/phys_state"
  echo '100 Gb/sec (4X EDR)' > "$port/rate"
  echo InfiniBand > "$port/link_layer"
  echo 100 > "$port/counters/port_rcv_data"
}
port_number=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
address="http://127.0.0.1:$port_number/metrics"
root/usr/bin/prometheus-node-exporter --path.sysfs="$work/sys" --collector.disable-defaults --collector.infiniband \
  --web.listen-address="127.0.0.1:$port_number" > log 2>&1 & exporter=$!
metrics() {
  for _ in $(seq 1 20); do
    python3 -c 'import sys, urllib.request
print(urllib.request.urlopen(sys.argv[1]).read().decode())' "$address" > all 2>/dev/null && break
    sleep 1
  done
  grep '^node_infiniband_' all > metrics || true
  success=$(sed -n 's/^node_scrape_collector_success.*} //p' all)
  echo "$1: $(wc -l < metrics) InfiniBand metrics, success $success"
}

adapter mlx5_0
metrics 'one adapter'
grep -q 'node_infiniband_state_id{device="mlx5_0",port="1"} 4' metrics || changed "it does not show the adapter"
adapter mlx5_1
metrics 'two adapters'
grep -q 'node_infiniband_state_id{device="mlx5_1",port="1"} 4' metrics || changed "it does not show the second adapter"
rm -r sys/class/infiniband/mlx5_1/ports/1/counters
metrics 'the second one without counters'
[ ! -s metrics ] || changed "it shows some metrics"
grep -q '^node_scrape_collector_success{collector="infiniband"} 0' all || changed "the collector succeeds"
