#!/usr/bin/env bash
# memory.sh [TINE]: pointers and symbolic addresses: the longest list within a time, red-black trees with a bug in
# rebalancing, and tables at symbolic addresses. `make bench-memory` calls it; takes about a minute. BENCH_PREFIX as for
# run.sh.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
tine=$(realpath "${1:-$root/target/release/tine}")
[ -x "$tine" ] || { echo "memory: no $tine; build it with make build, or give its path" >&2; exit 2; }
read -ra prefix <<<"${BENCH_PREFIX:-}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

# explore WORDS…: prints the summary as JSON, with the session in $work/out. Fails if tine fails.
explore() {
    rm -rf "$work/out"
    "${prefix[@]}" "$tine" test "$@" --jobs 1 --out "$work/out" --json --quiet || [ $? = 1 ]
}
# number JSON KEY: a number of the summary itself, not one of its errors.
number() { sed -E 's/"errors":\[.*\],"divergences"/"divergences"/' <<<"$1" | grep -oE "\"$2\":[0-9.]+" | head -1 | cut -d: -f2; }

printf 'tine on memory, %s\n' "$(date -u +%F)"
printf '%s × %s, load %s\n\n' "$(nproc)" "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)" "$(cut -d' ' -f1 /proc/loadavg)"

printf 'Largest list within a time (--max-objects 4000)\n%8s %8s\n' seconds nodes
for seconds in 1 2 5 10; do
    json=$(explore "$here/memory/longest.c" --fn longest --max-objects 4000 --max-elements 1 --max-time "${seconds}s") || exit 1
    # The longest path checks for each node if it is the last one, and uses it.
    printf '%8s %8s\n' "$seconds" "$(($(number "$json" paths) - 1))"
done

printf '\nRed-black trees with a bug in rebalancing: cases and time\n%-22s %8s %8s %12s %12s %8s\n' \
    bug cases failing 'first at' 'second at' seconds
for bug in BUG_WRONG_PARENT BUG_REBALANCE_STOPS BUG_COLOUR_LOST; do
    for op in insert delete; do
        json=$(explore "$here/structures/red_black.check.c" --fn "$op" --requires "can_$op" --max-objects 6 --keep all \
            --cflags "-D$bug" --max-time 20s --run-timeout 100ms) || exit 1
        mapfile -t failing < <("$tine" show "$work/out" | awk '$2 != "exited" { print $1 }')
        [ "${#failing[@]}" -gt 0 ] || continue
        printf '%-22s %8s %8s %12s %12s %8.2f\n' "$bug" "$(number "$json" paths)" "${#failing[@]}" "${failing[0]}" \
            "${failing[1]:--}" "$(awk -v ms="$(number "$json" time_ms)" 'BEGIN { print ms / 1000 }')"
        break
    done
done

# Figures 6 to 8 of "Test Input Generation for Programs with Pointers" (TACAS 2009), if they have a counterpart: the
# cost of each pointer model. All models find the same paths. PICTURE=FILE.svg draws the lists.
printf '\nModels of memory: red-black tree with a bug, all within 4 objects or 30 s; list, nodes reached after 2, 5 and 10 s\n'
printf '%-11s %-10s %-10s %7s %8s %11s %8s %6s %6s %6s\n' model two-phase alignment paths queries 'ms a query' seconds 2s 5s 10s
curves=()
for setting in cheapest logical {typed,primitive}:{on,off}:{on,off}; do
    IFS=: read -r model two_phase alignment <<<"$setting"
    flags=()
    [ "$model" = cheapest ] || flags+=(--experimental --memory "$model")
    [ -z "$two_phase" ] || flags+=(--two-phase "$two_phase" --alignment "$alignment")
    json=$(explore "$here/structures/red_black.check.c" --fn insert --requires can_insert --max-objects 4 --keep all --strategy dfs \
        --cflags -DBUG_WRONG_PARENT --max-time 30s --run-timeout 100ms "${flags[@]}") || exit 1
    solver=$(grep -oE '"queries":[0-9]+.*"tiers"' <<<"$json")
    queries=$(grep -oE '"queries":[0-9]+' <<<"$solver" | cut -d: -f2)
    spent=$(grep -oE '"time_ms":[0-9.]+' <<<"$solver" | head -1 | cut -d: -f2)
    nodes=() points=0:0
    for seconds in 2 5 10; do
        list=$(explore "$here/memory/longest.c" --fn longest --max-objects 4000 --max-elements 1 --strategy dfs --max-time "${seconds}s" "${flags[@]}") || exit 1
        nodes+=("$(($(number "$list" paths) - 1))")
        points+=,$seconds:${nodes[-1]}
    done
    curves+=("${setting//:/ }=$points")
    awk -v m="$model" -v t="${two_phase:--}" -v a="${alignment:--}" -v p="$(number "$json" paths)" -v q="$queries" -v s="$spent" \
        -v ms="$(grep -oE '"time_ms":[0-9]+}$' <<<"$json" | grep -oE '[0-9]+')" -v n="${nodes[*]}" \
        'BEGIN { split(n, l, " "); printf "%-11s %-10s %-10s %7d %8d %11.2f %8.2f %6d %6d %6d\n", m, t, a, p, q, s / q, ms / 1000, l[1], l[2], l[3] }'
done
[ -z "${PICTURE:-}" ] || (cd "$root" && cargo run -q -p tine-report --example curves -- \
    'The longest list that was found' seconds nodes 10 "$(realpath "$PICTURE")" "${curves[@]}")

printf '\nTables at symbolic addresses\n%-34s %8s %8s %8s\n' unit runs ms errors
for unit in crc32:guard table:look_up; do
    IFS=: read -r name fn <<<"$unit"
    json=$(explore "$here/memory/$name.c" --fn "$fn") || exit 1
    printf '%-34s %8s %8.0f %8s\n' "$name $fn" "$(number "$json" runs)" "$(number "$json" time_ms)" \
        "$(grep -o '"kind":"abort"' <<<"$json" | wc -l)"
done
