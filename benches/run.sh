#!/usr/bin/env bash
# run.sh [TINE]: the measurements of docs/benchmarks.md, in one run of a few minutes. `make bench` calls it.
#
# Other load distorts the results: BENCH_PREFIX="chrt -f 10" (as root) gives the explorations priority over it. It can
# be stopped early with Ctrl-C; every table is independent.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
tine=$(realpath "${1:-$root/target/release/tine}")
[ -x "$tine" ] || { echo "bench: no $tine; build it with make build, or give its path" >&2; exit 2; }
read -ra prefix <<<"${BENCH_PREFIX:-}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

title() { printf '\n%s\n' "$1"; }
# field JSON KEY: the number after the first such key.
field() { sed -E "s/.*\"$2\":([0-9.]+).*/\1/" <<<"$1"; }
paths() { sed -E 's/.*"runs":[0-9]+,"paths":([0-9]+).*/\1/' <<<"$1"; }
solving() { sed -E 's/.*"solver":\{[^{]*"time_ms":([0-9.]+).*/\1/' <<<"$1"; }
elapsed() { sed -E 's/.*"time_ms":([0-9.]+)\}$/\1/' <<<"$1"; }
verdict() { sed -E 's/.*"verdict":"([a-z]+)".*/\1/' <<<"$1"; }

# explore WORDS…: the summary as JSON, of the median of three explorations by time.
explore() {
    local round json
    for round in 1 2 3; do
        rm -rf "$work/out"
        json=$("${prefix[@]}" "$tine" "$@" --out "$work/out" --json --quiet) || [ $? = 1 ] || return 1
        printf '%s %s\n' "$(elapsed "$json")" "$json"
    done | sort -n | sed -n '2s/^[^ ]* //p'
}

rate() { LC_ALL=C awk -v n="$1" -v ms="$2" 'BEGIN { if (ms > 0) printf "%.0f", n / ms * 1000; else printf "-" }'; }
# The total is in whole milliseconds.
percent() {
    LC_ALL=C awk -v part="$1" -v all="$2" 'BEGIN { printf "%.0f %%", (part >= all ? 100 : 100 * part / all) }'
}

printf 'tine benchmarks, %s\n' "$(date -u +%F)"
printf '%s × %s, load %s, %s, %s\n' "$(nproc)" "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)" \
    "$(cut -d' ' -f1 /proc/loadavg)" "$(. /etc/os-release && echo "$PRETTY_NAME")" "$(clang-22 --version | head -1)"

title 'Runs per second through the whole exploration (goal ≥ 50000)'
printf '%-10s %8s %8s %8s %8s  %s\n' unit runs ms runs/s solving 'what it is'
for unit in branches choices; do
    "$tine" cc "$here/runs/$unit.c" -o "$work/$unit" || exit 1
    json=$(explore run "$work/$unit") || { echo "$unit: the exploration failed"; failed=1; continue; }
    ms=$(elapsed "$json")
    printf '%-10s %8s %8s %8s %8s  %s\n' "$unit" "$(field "$json" runs)" "$ms" "$(rate "$(field "$json" runs)" "$ms")" \
        "$(percent "$(solving "$json")" "$ms")" "$(sed -n '1s|^/\* \(.*\) \*/$|\1|p' "$here/runs/$unit.c")"
done

title 'The same for a unit with one branch, layer by layer, without the tree'
"$tine" cc "$here/runs/branch.c" -o "$work/branch" || exit 1
if (cd "$root" && cargo build --quiet --release --locked -p tine-executor --example runs); then
    "${prefix[@]}" "${CARGO_TARGET_DIR:-$root/target}/release/examples/runs" "$work/branch" || failed=1
else
    failed=1
fi

title 'Paths per second of the examples'
printf '%-18s %8s %-11s %8s %8s %8s\n' example paths verdict ms paths/s solving
for file in "$root"/examples/*.c; do
    name=$(basename "$file" .c)
    words=$(sed -n '1s|^// tine-test: ||p' "$file")
    options=()
    case $words in *depth=*) options+=(--depth "$(sed -E 's/.*depth=([0-9]+).*/\1/' <<<"$words")") ;; esac
    case $words in
    fn=*) command=(test "$file" --fn "$(sed -E 's/^fn=([^ ]+).*/\1/' <<<"$words")") ;;
    *) "$tine" cc "$file" -o "$work/$name" || exit 1; command=(run "$work/$name") ;;
    esac
    json=$(explore "${command[@]}" "${options[@]}") || { echo "$name: the exploration failed"; failed=1; continue; }
    ms=$(elapsed "$json")
    printf '%-18s %8s %-11s %8s %8s %8s\n' "$name" "$(paths "$json")" "$(verdict "$json")" "$ms" \
        "$(rate "$(paths "$json")" "$ms")" "$(percent "$(solving "$json")" "$ms")"
done

title 'Concrete code, instrumented with all checks, against clang-22 -O2: CPU seconds'
"$here/concrete.sh" "$tine" || failed=1

title 'Building cjson with its tests: CPU seconds'
"$here/projects.sh" "$tine" cjson || failed=1
exit $failed
