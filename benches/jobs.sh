#!/usr/bin/env bash
# jobs.sh [TINE]: speed of two workers relative to one, on units whose explorations are complete. Median of RUNS (5)
# each, alternating. Needs an otherwise idle machine; prints the load.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
tine=$(realpath "${1:-$root/target/release/tine}")
[ -x "$tine" ] || { echo "jobs: no $tine; build it with make build, or give its path" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
runs=${RUNS:-5}

cat >"$work/bits.c" <<'C'
int f(unsigned long x) {
    int n = 0;
    for (int i = 0; i < 16; i++)
        if (x >> i & 1)
            n++;
    return n;
}
C
cat >"$work/products.c" <<'C'
int f(unsigned a, unsigned b, unsigned c) {
    int n = 0;
    for (unsigned i = 1; i < 7; i++) {
        if (a * b % 251 == i * 17)
            n += 1;
        if ((b ^ c) % 241 == i * 13)
            n += 2;
        if (c * i > a + b)
            n += 4;
    }
    return n;
}
C
units() {
    echo "bits $work/bits.c --fn f"
    echo "products $work/products.c --fn f --max-runs 1500"
    echo "red_black:insert $here/structures/red_black.check.c --fn insert --requires can_insert --max-objects 6"
    echo "list:sort $here/structures/list.check.c --fn sort --requires can_sort --max-objects 5"
}

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

echo "load before: $(cut -d' ' -f1-3 /proc/loadavg)"
printf '%-20s %10s %10s %8s\n' unit "1 job ms" "2 jobs ms" "speed-up"
units | while read -r name arguments; do
    : >"$work/1"
    : >"$work/2"
    for _ in $(seq "$runs"); do
        for jobs in 1 2; do
            rm -rf "$work/out"
            # shellcheck disable=SC2086 # words
            "$tine" test $arguments --jobs "$jobs" --out "$work/out" --json --quiet |
                sed -E 's/.*"time_ms":([0-9.]+)\}$/\1/' >>"$work/$jobs"
        done
    done
    one=$(median <"$work/1") two=$(median <"$work/2")
    awk -v n="$name" -v a="$one" -v b="$two" 'BEGIN { printf "%-20s %10.0f %10.0f %8.2f\n", n, a, b, a / (b > 0 ? b : 1) }'
done
