#!/usr/bin/env bash
# Slowdown of concrete code: programs of `benches/concrete`, instrumented with checks and coverage, against clang -O2,
# and beside it the slowdown by AddressSanitizer at -O2.
# Usage: benches/concrete.sh TINE
# Runs alternate, so that a noisy machine affects both builds equally. The ratio is that of the medians of user + system
# time. The last line has the geometric means.
set -euo pipefail
tine=${1:?usage: benches/concrete.sh TINE}
here=$(cd "$(dirname "$0")" && pwd)
rounds=5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Sets `seconds`; the program's output goes to the file.
measure() {
    local TIMEFORMAT='%U %S' times
    times=$( { time "$1" > "$2" 2> /dev/null; } 2>&1 )
    seconds=$(awk '{ printf "%.3f", $1 + $2 }' <<< "$times")
}

median() { sort -n | sed -n "$(( (rounds + 1) / 2 ))p"; }

printf '%-10s %10s %14s %7s %6s %10s %7s\n' program 'native s' 'instrumented s' ratio goal 'ASan s' ratio
: > "$work/ratios"
for goal in sort:3 tree:3 bytecode:7; do
    name=${goal%:*}
    clang-22 -O2 "$here/concrete/$name.c" -o "$work/$name.native"
    clang-22 -O2 -fsanitize=address "$here/concrete/$name.c" -o "$work/$name.asan"
    "$tine" cc "$here/concrete/$name.c" -o "$work/$name.tine"
    : > "$work/native.times"
    : > "$work/tine.times"
    : > "$work/asan.times"
    for ((round = 0; round < rounds; round++)); do
        for build in native tine asan; do
            measure "$work/$name.$build" "$work/$build.out"
            echo "$seconds" >> "$work/$build.times"
        done
        cmp -s "$work/native.out" "$work/tine.out" || { echo "$name: the instrumented program prints something else" >&2; exit 1; }
    done
    native=$(median < "$work/native.times")
    instrumented=$(median < "$work/tine.times")
    asan=$(median < "$work/asan.times")
    echo "$native $instrumented $asan" >> "$work/ratios"
    awk -v name="$name" -v n="$native" -v t="$instrumented" -v a="$asan" -v goal="${goal#*:}" \
        'BEGIN { printf "%-10s %10.2f %14.2f %6.1fx %5sx %10.2f %6.1fx\n", name, n, t, t / n, "≤" goal, a, a / n }'
done
awk '{ t += log($2 / $1); a += log($3 / $1); s += log($2 / $3) }
    END { printf "%-10s %10s %14s %6.1fx %6s %10s %6.1fx\nAddressSanitizer times %.2f\n", "mean", "", "", exp(t / NR), "", "", exp(a / NR), exp(s / NR) }' "$work/ratios"
