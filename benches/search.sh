#!/usr/bin/env bash
# search.sh [TINE]: coverage over runs for every strategy, as the mean of several seeds, on real programs and a
# text-replace program written for this (CREST, Figures 1 to 3).
#
# Draws a picture per program, and prints a line per strategy: covered branch sides, all sides in functions that were
# reached, runs, runs per second. Then each strategy's share of the best result of its program, on average and at least.
#
#   PROGRAMS    names in programs/NAME.sh      replace jsmn cjson expat grep gawk
#   STRATEGIES  names in `tine strategies`     all that need no file
#   SEEDS       per strategy                   1 2 3
#   RUNS        per exploration                4000
#   SECONDS_EACH  at most                      60
#   JOBS        workers per exploration        1: deterministic
#   PICTURES    directory of the pictures      docs/search
#   PLOT        the drawing program, if it is already built: target/…/examples/search
#
# All other files are written below target/benches (or $TINE_BENCH_DIR). The whole takes hours; PROGRAMS="replace jsmn"
# SEEDS=1 SECONDS_EACH=10 takes minutes.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
tine=$(realpath "${1:-$root/target/release/tine}")
[ -x "$tine" ] || { echo "search: no $tine; build it with make build, or give its path" >&2; exit 2; }
programs=${PROGRAMS:-replace jsmn cjson expat grep gawk}
strategies=${STRATEGIES:-auto dfs bounded-dfs bfs random-path random-branch random uncovered rare cfg priority generational random-input}
seeds=${SEEDS:-1 2 3}
runs=${RUNS:-4000}
seconds=${SECONDS_EACH:-60}
pictures=${PICTURES:-$root/docs/search}
work=${TINE_BENCH_DIR:-$root/target/benches}
mkdir -p "$work" "$pictures"
work=$(cd "$work" && pwd)
pictures=$(cd "$pictures" && pwd)
export LC_ALL=C
plot=${PLOT:-}
if [ -z "$plot" ]; then
    (cd "$root" && ${CARGO:-cargo} build --release --locked -q -p tine-report --example search) || exit 2
    plot=$root/target/release/examples/search
fi
. "$here/programs/build.sh"

failed=0
: >"$work/search.txt"
echo "load before: $(cut -d' ' -f1-3 /proc/loadavg)"
printf '%-10s %-14s %8s %8s %7s %7s %7s\n' program strategy covered reached part runs runs/s
for name in $programs; do
    built "$name" tine || { echo "$name: the build stopped" >&2; failed=1; continue; }
    folder=$work/search/$name
    rm -rf "$folder" && mkdir -p "$folder"
    declare -F search_options >/dev/null || search_options() { options; }
    sessions=()
    for strategy in $strategies; do
        for seed in $seeds; do
            session=$folder/$strategy-$seed
            mkdir -p "$folder/scratch"
            ! declare -F environment_files >/dev/null || (cd "$folder/scratch" && environment_files)
            # shellcheck disable=SC2046 # words
            (cd "$folder/scratch" && timeout $((2 * seconds + 60)) "$tine" run "$program" --quiet --json --jobs "${JOBS:-1}" --out "$session" \
                --strategy "$strategy" --seed "$seed" --max-runs "$runs" --max-time "${seconds}s" --solver-timeout "${SOLVER_TIMEOUT:-1s}" \
                $(search_options)) >"$folder/summary.json" 2>"$folder/log" </dev/null
            # Errors of the program are expected; other failures are not.
            code=$?
            [ $code -le 1 ] || { echo "$name: $strategy with seed $seed ended with $code: $(tail -1 "$folder/log")" >&2; failed=1; continue; }
            sessions+=("$strategy=$session")
        done
    done
    "$plot" "$name: sides covered, mean of $(wc -w <<<"$seeds") seeds" "$runs" "$pictures/$name.svg" "${sessions[@]}" >"$folder/table" || failed=1
    while read -r strategy covered reached n rate; do
        part=$(awk -v a="$covered" -v b="$reached" 'BEGIN { printf "%.1f%%", (b > 0) ? 100 * a / b : 0 }')
        printf '%-10s %-14s %8s %8s %7s %7s %7s\n' "$name" "$strategy" "$covered" "$reached" "$part" "$n" "$rate"
        echo "$name $strategy $covered" >>"$work/search.txt"
    done <"$folder/table"
done
awk '{ if (!($1 in programs)) { programs[$1] = 1 }; if (!($2 in strategies)) { order[++n] = $2; strategies[$2] = 1 }
       covered[$1, $2] = $3; if ($3 > best[$1]) best[$1] = $3 }
    END {
        printf "\n%-14s %10s %10s\n", "of the best", "average", "least"
        for (k = 1; k <= n; k++) {
            sum = count = 0; least = 1
            for (p in programs) if ((p, order[k]) in covered) {
                part = best[p] ? covered[p, order[k]] / best[p] : 1
                sum += part; count++; if (part < least) least = part
            }
            printf "%-14s %9.1f%% %9.1f%%\n", order[k], 100 * sum / count, 100 * least
        }
    }' "$work/search.txt"
exit $failed
