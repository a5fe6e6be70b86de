#!/usr/bin/env bash
# projects.sh [TINE] [NAME…]: builds real projects with their own build systems, once with clang-22 and once with
# `tine cc`, runs their own tests (or the program, on fixed inputs) in both builds and compares the output.
#
# Prints a line per project: CPU seconds of both builds, and if the outputs agree. Exit code 1 if any does not agree or
# does not build.
#
# projects/NAME.sh describes how to build and check a project. All files are written below target/benches (or
# $TINE_BENCH_DIR): sources, the two builds, logs and outputs.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")

tine=$root/target/release/tine
case ${1:-} in */*) tine=$(realpath "$1") && shift ;; esac
[ -x "$tine" ] || { echo "projects: no $tine; build it with make build, or give its path" >&2; exit 2; }
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(cjson jansson expat grep lua5.4)
for name in "${names[@]}"; do
    [ -e "$here/projects/$name.sh" ] || { echo "projects: no project $name" >&2; exit 2; }
done

work=${TINE_BENCH_DIR:-$root/target/benches}
mkdir -p "$work"
work=$(cd "$work" && pwd)

missing=()
for command in cmake autoconf automake libtoolize; do
    command -v $command >/dev/null || missing+=("${command/libtoolize/libtool}")
done
if [ ${#missing[@]} -gt 0 ]; then
    as_root=() && [ "$(id -u)" = 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null 2>&1 \
        || { echo "projects: install ${missing[*]}: the projects are built with them" >&2; exit 2; }
fi

# Both builds use the same folder, one after the other, because tests print paths. The functions of projects/NAME.sh run
# there with $CC, $CXX, and $inputs, the folder of the script's files.
build_and_check() { # build_and_check NAME KIND: leaves NAME/KIND.{log,seconds,out}
    local name=$1 kind=$2 folder=$work/$1
    rm -rf "$folder/build" "$folder/$kind" "$folder/$kind".*
    cp -a "$(realpath "$work/src/$name")" "$folder/build" # with their times: make would want to run autoconf again
    (
        set -e
        cd "$folder/build"
        inputs=$here/projects/$name
        . "$here/projects/$name.sh"
        prepare
        TIMEFORMAT='%U %S'
        { time build 2>&3; } 3>&2 2>"$folder/$kind.seconds"
        check >"$folder/$kind.out"
    ) >"$folder/$kind.log" 2>&1 </dev/null
    local code=$?
    [ -e "$folder/build" ] && mv "$folder/build" "$folder/$kind"
    return $code
}

seconds() { LC_ALL=C awk '{ printf "%.1f", $1 + $2 }' "$1"; }

failed=0
printf '%-10s %10s %14s %7s  %s\n' project 'native s' 'instrumented s' ratio outputs
for name in "${names[@]}"; do
    "$here/fetch.sh" "$work/src" "$name" || { failed=1; continue; }
    mkdir -p "$work/$name"
    # Not in a condition: there bash would not stop at errors inside the function.
    problem=
    export CC=${NATIVE:-clang-22} CXX=clang++-22
    build_and_check "$name" native
    [ $? = 0 ] || problem=native
    export CC="$tine cc" CXX="$tine c++"
    [ -n "$problem" ] || build_and_check "$name" tine
    [ $? = 0 ] || problem=tine
    if [ -n "$problem" ]; then
        printf '%-10s the build or test stopped: %s\n' "$name" "$work/$name/$problem.log"
        failed=1
        continue
    fi
    native=$(seconds "$work/$name/native.seconds") instrumented=$(seconds "$work/$name/tine.seconds")
    ratio=$(LC_ALL=C awk "BEGIN { printf \"%.1f\", $instrumented / ($native > 0 ? $native : 0.01) }")
    if cmp -s "$work/$name/native.out" "$work/$name/tine.out"; then
        verdict="agree ($(wc -l <"$work/$name/tine.out") lines)"
    else
        verdict="DIFFER: diff $work/$name/native.out $work/$name/tine.out"
        failed=1
    fi
    printf '%-10s %10s %14s %7s  %s\n' "$name" "$native" "$instrumented" "$ratio" "$verdict"
done
exit $failed
