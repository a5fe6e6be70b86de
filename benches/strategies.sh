#!/usr/bin/env bash
# strategies.sh [TINE]: coverage of each strategy after few runs, on the structures of benches/structures and the
# examples, averaged over 3 seeds. RUNS is the budget (100). Takes a few minutes.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
tine=$(realpath "${1:-$root/target/release/tine}")
[ -x "$tine" ] || { echo "strategies: no $tine; build it with make build, or give its path" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
runs=${RUNS:-100}
strategies=${STRATEGIES:-auto dfs bounded-dfs bfs random-path random-branch random cfg priority generational random-input}

# One line per unit: its name and its arguments for `tine test`.
units() {
    for unit in red_black:insert:6 red_black:delete:5 list:insert_sorted:5 list:sort:4 doubly_linked:remove:5 \
        hash_table:remove:4 heap_sort:sort: quick_sort:sort:; do
        IFS=: read -r name op objects <<<"$unit"
        echo "$name:$op $here/structures/$name.check.c --fn $op --requires can_$op ${objects:+--max-objects $objects}"
    done
    echo "triangle $root/examples/triangle.c --fn classify"
    echo "binary_search $root/examples/binary_search.c --fn search"
}

units | while read -r name arguments; do
    for strategy in $strategies; do
        for seed in 1 2 3; do
            rm -rf "$work/out"
            # shellcheck disable=SC2086 # words
            json=$("$tine" test $arguments --strategy "$strategy" --seed "$seed" --max-runs "$runs" --out "$work/out" --json --quiet)
            covered=$(sed -E 's/.*"branches_covered":([0-9]+).*/\1/' <<<"$json")
            echo "$name $strategy ${covered:-0}"
        done
    done
done | awk -v strategies="$strategies" '
    { if (!($1 in seen)) { seen[$1] = 1; order[++n] = $1 }; sum[$1, $2] += $3 / 3 }
    END {
        m = split(strategies, s, " ")
        printf "%-24s", "sides covered"; for (k = 1; k <= m; k++) printf " %13s", s[k]; print ""
        for (u = 1; u <= n; u++) {
            printf "%-24s", order[u]; best = 0
            for (k = 1; k <= m; k++) { v = sum[order[u], s[k]]; if (v > best) best = v; printf " %13.1f", v }
            print ""
            for (k = 1; k <= m; k++) {
                part = best ? sum[order[u], s[k]] / best : 1
                share[k] += part / n; if (least[k] == "" || part < least[k]) least[k] = part
            }
        }
        printf "%-24s", "of the best, average %"; for (k = 1; k <= m; k++) printf " %13.1f", 100 * share[k]; print ""
        printf "%-24s", "least %"; for (k = 1; k <= m; k++) printf " %13.1f", 100 * least[k]; print ""
    }'
