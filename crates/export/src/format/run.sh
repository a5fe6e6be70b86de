#!/bin/sh
# Made by `tine export`. Runs cases, each in a directory of its own: `PROGRAM=./program sh run.sh cases/exits_0 …`
here=$(cd "$(dirname "$0")" && pwd)
case ${PROGRAM:-} in '' | /*) ;; *) PROGRAM=$(pwd)/$PROGRAM; export PROGRAM ;; esac
n=0 failed=0
for name; do
    n=$((n + 1))
    work=$(mktemp -d)
    mkdir "$work/files"
    (cd "$work/files" && timeout 10 sh "$here/$name.sh" >"$work/out" 2>/dev/null)
    status=$?
    expected=$(cat "$here/$name.status")
    if [ "$expected" = error ]; then
        [ "$status" != 0 ] || { echo "FAILED $name: it does not show its error"; failed=$((failed + 1)); }
    elif [ "$status" != "$expected" ]; then
        echo "FAILED $name: exit status $status instead of $expected"
        failed=$((failed + 1))
    elif [ -f "$here/$name.out" ] && ! cmp -s "$here/$name.out" "$work/out"; then
        echo "FAILED $name: other output"
        diff "$here/$name.out" "$work/out" | head -n 5
        failed=$((failed + 1))
    fi
    rm -rf "$work"
done
echo "$n cases, $failed failed"
[ "$failed" = 0 ]
