#!/usr/bin/env bash
# loops.sh [TINE]: endless loops that are proved, and long loops that end; `make bench-loops` calls it.
# Prints a table: loops, errors found, and milliseconds of exploration per run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tine=$(realpath "${1:-$here/../target/release/tine}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

measure() { # FILE FUNCTION
    "$tine" test "$here/../tests/units/loops/$1.c" --fn "$2" --jobs 1 --json --quiet --out "$work/$1" >"$work/$1.json" || true
    python3 - "$1" "$work/$1.json" <<'PY'
import json, sys

name, file = sys.argv[1:]
summary = json.load(open(file))
endless = sum(error["kind"] == "endless loop" for error in summary["errors"])
print(f"| {name} | {summary['runs']} | {endless} | {len(summary['errors']) - endless} | {summary['time_ms'] / summary['runs']:.1f} | {summary['verdict']} |")
PY
}

echo "| loops | runs | endless | other errors | ms per run | verdict |"
echo "|---|---|---|---|---|---|"
measure infinite infinite
measure finite ends
measure ends_in_error ends
