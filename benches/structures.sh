#!/usr/bin/env bash
# structures.sh [TINE]: CUTE's Figure 10 for the structures of benches/structures and tests/structures, the seeded bugs
# of the former, and runs per second on lists. `make bench-structures` calls it; takes about a minute.
#
# benches/structures/NAME.c is the code. NAME.check.c has its invariants and lists its operations:
#     /* op: insert max-objects=6 */        tine test NAME.check.c --fn insert --requires can_insert --max-objects 6
# `#ifdef BUG_…` enables a bug in the code. BENCH_PREFIX as for run.sh.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
tine=$(realpath "${1:-$root/target/release/tine}")
[ -x "$tine" ] || { echo "structures: no $tine; build it with make build, or give its path" >&2; exit 2; }
read -ra prefix <<<"${BENCH_PREFIX:-}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
export LC_ALL=C

# explore WORDS…: prints the summary as JSON. Fails if tine fails.
explore() {
    rm -rf "$work/out"
    "${prefix[@]}" "$tine" test "$@" --out "$work/out" --json --quiet || [ $? = 1 ]
}
elapsed() { sed -E 's/.*"time_ms":([0-9.]+)\}$/\1/' <<<"$1"; }
runs() { sed -E 's/.*"runs":([0-9]+),"paths".*/\1/' <<<"$1"; }
n_errors() { grep -o '"kind":"[a-z_ -]*","file"' <<<"$1" | wc -l; }
# Number of the run that showed the first error.
first_error() { grep -oE '"case":[0-9]+' <<<"$1" | head -1 | grep -oE '[0-9]+'; }
# option LINE KEY: the value after the key.
option() { sed -nE "s/.* $2=\"?([^ \"]+).*/\1/p" <<<"$1"; }
ops() { sed -nE 's|^/\* op: (.*) \*/$|\1|p' "$1"; }
bounds() { local n; n=$(option " $1" max-objects); [ -z "$n" ] || printf -- '--max-objects %s' "$n"; }

# facts JSON PATTERN: lines for `row`. PATTERN matches the structure's own functions, as file:function.
facts() {
    printf 'run %s %s %s %s\n' "$(runs "$1")" "$(elapsed "$1")" "$(n_errors "$1")" \
        "$(sed -E 's/.*"verdict":"([a-z]+)".*/\1/' <<<"$1")"
    grep -oE '"[a-z]+":\{"answered":[0-9]+' <<<"$1" | sed -E 's/"([a-z]+)":\{"answered":([0-9]+)/tier \1 \2/'
    grep -oE '\{"file":"[^"]*","function":"[^"]*","covered":[0-9]+,"total":[0-9]+\}' <<<"$1" |
        sed -E 's/\{"file":"([^"]*)","function":"([^"]*)","covered":([0-9]+),"total":([0-9]+)\}/\1:\2 \3 \4/' |
        grep -E "$2" | sed 's/^/fn /'
}

# row NAME: one line of the table, from the facts of all explorations of the structure.
row() {
    awk -v name="$1" '
        $1 == "run" { runs += $2; ms += $3; errors += $4; verdict[$5]++ }
        $1 == "tier" { answered[$2] += $3; all += $3 }
        $1 == "fn" && $3 > 0 { if ($3 > covered[$2]) covered[$2] = $3; total[$2] = $4 }
        END {
            for (f in total) { functions++; branches += total[f]; taken += covered[f] }
            split("trivial direct cache domains pointers ranges guess values cases bitwuzla", order, " ")
            for (k = 1; k in order; k++)
                if (answered[order[k]] * 200 >= all)
                    tiers = tiers sprintf(" %s %.0f", order[k], 100 * answered[order[k]] / all)
            v = verdict["incomplete"] ? "incomplete" : verdict["bounded"] ? "bounded" : "complete"
            printf "%-22s %8.2f %8d %8.0f %8d %7.1f %5d %6d  %-10s%s\n", name, ms / 1000, runs, runs / (ms > 0 ? ms : 1) * 1000,
                branches, branches ? 100 * taken / branches : 0, functions, errors, v, tiers
        }'
}

printf 'tine on structures, %s\n' "$(date -u +%F)"
printf '%s × %s, load %s\n\n' "$(nproc)" "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)" "$(cut -d' ' -f1 /proc/loadavg)"
printf '%-22s %8s %8s %8s %8s %7s %5s %6s  %-10s %s\n' structure seconds runs runs/s branches 'cov. %' fns. errors verdict \
    'answered by, % of queries'
for check in "$here"/structures/*.check.c; do
    name=$(basename "$check" .check.c)
    ops "$check" | while read -r op options; do
        # shellcheck disable=SC2046 # words
        json=$(explore "$check" --fn "$op" --requires "can_$op" $(bounds "$options")) || { echo "$name: $op failed" >&2; exit 1; }
        facts "$json" "/$name\.c:"
    done | row "$name"
done
for folder in "$root"/tests/structures/*/; do
    for file in "$folder"*.c; do
        line=$(sed -n '1s|^// tine-test:||p' "$file")
        fn=$(option "$line" fn)
        requires=$(option "$line" requires)
        # shellcheck disable=SC2046 # words
        json=$(explore "$file" --fn "$fn" ${requires:+--requires "$requires"} $(bounds "$line") \
            --cflags="$(option "$line" cflags)") || { echo "$file failed" >&2; exit 1; }
        # Code made by macros: in the operation itself, or as functions of a tree.
        facts "$json" ":($fn|tree_[A-Z_]+) " | sed 's|^|'"$(basename "$file" .c | sed -E 's/^(ll|dl|cdl|slist|list|stailq|tailq|rb|splay)_.*/\1/; s/^(find|add_delete|expand)$/hash/')"' |'
    done >"$work/facts"
    for kind in $(cut -d' ' -f1 "$work/facts" | uniq); do
        sed -n "s/^$kind //p" "$work/facts" | row "$(basename "$folder")/$kind"
    done
done

printf '\nSeeded bugs (each to be found in less than 10 s)\n%-14s %-24s %-14s %8s %8s\n' structure bug operation seconds 'at run'
for check in "$here"/structures/*.check.c; do
    name=$(basename "$check" .check.c)
    for bug in $(grep -oE 'BUG_[A-Z_]+' "$here/structures/$name.c" | sort -u); do
        found=
        while read -r op options; do
            # shellcheck disable=SC2046 # words
            json=$(explore "$check" --fn "$op" --requires "can_$op" $(bounds "$options") --cflags "-D$bug" \
                --max-time 10s --run-timeout 100ms) || continue
            [ "$(n_errors "$json")" = 0 ] && continue
            found=yes
            printf '%-14s %-24s %-14s %8.2f %8s\n' "$name" "$bug" "$op" \
                "$(awk -v ms="$(elapsed "$json")" 'BEGIN { print ms / 1000 }')" "$(first_error "$json")"
            break
        done < <(ops "$check")
        [ -n "$found" ] || { printf '%-14s %-24s not found\n' "$name" "$bug"; failed=1; }
    done
done

printf '\nRuns per second on lists: solve, run, record (goal ≥ 10000), best of three\n%-40s %8s %8s %8s\n' unit runs ms runs/s
for unit in list:concat:12 list:remove:24 doubly_linked:concat:12 doubly_linked:insert_after:10; do
    IFS=: read -r name op objects <<<"$unit"
    for _ in 1 2 3; do
        json=$(explore "$here/structures/$name.check.c" --fn "$op" --requires "can_$op" --max-objects "$objects") || exit 1
        printf '%s %s\n' "$(elapsed "$json")" "$(runs "$json")"
    done | sort -n | head -1 | awk -v unit="$name $op, $objects objects" '{ printf "%-40s %8d %8d %8.0f\n", unit, $2, $1, $2 / $1 * 1000 }'
done
exit $failed
