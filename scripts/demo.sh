#!/usr/bin/env bash
# demo.sh TINE: the main job, on four of the examples.
set -eu
tine=$(realpath "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Exit code 1 means that errors were found, which is the expected result.
explore() {
    echo
    echo "\$ tine $*"
    "$tine" "$@" || [ $? = 1 ]
}

echo "A function: its parameters are the inputs."
explore test "$root/examples/triangle.c" --fn classify --out triangle

echo
echo "A check that one input in four billion passes."
explore test "$root/examples/checksum.c" --fn unlock --out checksum

echo
echo "Pointers: tine builds the lists. What counts as an input, and what must hold afterwards, say two functions of the file."
explore test "$root/examples/list.c" --fn insert --requires sorted --ensures sorted_after --max-objects 4 --run-timeout 100ms --out list

echo
echo "A whole program, built with tine's compiler driver."
echo "\$ tine cc -g examples/calculator.c -o calculator"
"$tine" cc -g "$root/examples/calculator.c" -o calculator
explore run calculator --depth 12 --out calculator-out

echo
echo "One case again, natively."
explore replay checksum "$("$tine" test "$root/examples/checksum.c" --fn unlock --out again --json --quiet | sed -n 's/.*"case": *\([0-9]*\).*/\1/p' | head -1)"
