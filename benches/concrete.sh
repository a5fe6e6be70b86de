#!/usr/bin/env bash
# Slowdown of concrete code: programs of `benches/concrete`, instrumented with checks and coverage, against clang -O2.
# Usage: benches/concrete.sh TINE
# Runs alternate, so that a noisy machine affects both builds equally. The ratio is that of the medians of user + system
# time.
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

printf '%-10s %10s %14s %7s %6s\n' program 'native s' 'instrumented s' ratio goal
for goal in sort:3 tree:3 bytecode:7; do
    name=${goal%:*}
    clang-22 -O2 "$here/concrete/$name.c" -o "$work/$name.native"
    "$tine" cc "$here/concrete/$name.c" -o "$work/$name.tine"
    : > "$work/native.times"
    : > "$work/tine.times"
    for ((round = 0; round < rounds; round++)); do
        for build in native tine; do
            measure "$work/$name.$build" "$work/$build.out"
            echo "$seconds" >> "$work/$build.times"
        done
        cmp -s "$work/native.out" "$work/tine.out" || { echo "$name: the instrumented program prints something else" >&2; exit 1; }
    done
    native=$(median < "$work/native.times")
    instrumented=$(median < "$work/tine.times")
    awk -v name="$name" -v n="$native" -v t="$instrumented" -v goal="${goal#*:}" \
        'BEGIN { printf "%-10s %10.2f %14.2f %6.1fx %5sx\n", name, n, t, t / n, "≤" goal }'
done
