#!/usr/bin/env bash
# scanners.sh [TINE…]: programs that read their input by way of tables, explored for a number of runs by each TINE in turn:
# processor time, runs for a second of it, sides, and who answered the queries. Ratios hold on a machine that has other work.
#
#   scan.l      a scanner of C-like text with 24 rules, made by flex (left out where flex is not installed)
#   dfa.c       a table of states and classes of characters, written by hand
#   base64.c    digits decoded by tables, then a list of tagged fields
#
# RUNS (1000) for scan.l, twice as many for dfa.c, three times for base64.c; SEED (1). Everything happens below
# target/benches (or $TINE_BENCH_DIR).
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
[ $# -gt 0 ] || set -- "$root/target/release/tine"
work=${TINE_BENCH_DIR:-$root/target/benches}/scanners
mkdir -p "$work" && cp "$here"/scanners/* "$work" || exit 2
runs=${RUNS:-1000}
TIMEFORMAT="%U %S"

# explore TINE NAME RUNS
explore() {
    { time timeout 900 "$1" run "$work/$2" --quiet --json --jobs 1 --out "$work/out" --seed "${SEED:-1}" --max-runs "$3" \
        --sym-stdin 32 >"$work/json" 2>"$work/log" </dev/null; } 2>"$work/time"
    rm -rf "$work/out"
    python3 - "$work/json" "$work/time" "$2" "$(basename "$1")" <<'END' || tail -2 "$work/log" >&2
import json, sys
run, (user, system) = json.load(open(sys.argv[1])), map(float, open(sys.argv[2]).read().split())
solver = run["solver"]
tiers = ", ".join(f"{name} {tier['answered']}" for name, tier in solver["tiers"].items() if tier["answered"])
print(f"{sys.argv[3]} ({sys.argv[4]}): {run['runs']} runs, {user + system:.1f} s of processor time, "
      f"{run['runs'] / (user + system):.0f}/s; {run['branches_covered']} of {run['branches_reached']} sides; "
      f"{solver['queries']} queries, {solver['unknown']} unknown: {tiers}")
END
}

names="dfa base64"
if command -v flex >/dev/null; then
    flex -o "$work/scan.c" "$work/scan.l" && names="scan $names"
else
    echo "scanners: scan.l is left out: install flex" >&2
fi
for name in $names; do
    "$(realpath "$1")" cc -w "$work/$name.c" -o "$work/$name" || exit 2
    case $name in scan) n=$runs ;; dfa) n=$((2 * runs)) ;; *) n=$((3 * runs)) ;; esac
    for tine; do explore "$(realpath "$tine")" "$name" "$n"; done
done
