#!/usr/bin/env bash
# programs.sh [TINE] [NAME…]: explores real programs from Debian's sources for a minute each, runs every kept input with a
# native build, and measures that with gcov.
#
# A line each: runs per second, sides of branches covered of those in the sources that count, lines that gcov saw executed
# in them, whether gcov saw every line on which tine covered a branch, places where input went into code without
# instrumentation, errors.
#
# How a program is built is in programs/NAME.sh. NAME is one of those, or `coreutils/TOOL`. Everything happens below
# target/benches (or $TINE_BENCH_DIR). SECONDS_EACH (60) is the time for one, STRATEGY (auto) the order of search.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")

tine=$root/target/release/tine
case ${1:-} in /* | ./*) tine=$(realpath "$1") && shift ;; esac
[ -x "$tine" ] || { echo "programs: no $tine; build it with make build, or give its path" >&2; exit 2; }
tools=(base64 basename cat cksum comm cut dirname echo expand expr factor fold head nl od paste seq sort sum tac tail test tr tsort unexpand uniq wc)
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(cjson jansson jsmn libyaml expat lua5.4 grep sed diffutils "${tools[@]/#/coreutils/}")

work=${TINE_BENCH_DIR:-$root/target/benches}
mkdir -p "$work"
work=$(cd "$work" && pwd)
for command in python3 gcov gcc; do
    command -v $command >/dev/null || { echo "programs: install $command" >&2; exit 2; }
done

# In the functions of programs/NAME.sh: $source, $inputs (the folder beside the script), $tool.
#   prepare            once, in $work/programs/NAME/configured
#   build              with $CC, in a copy of it; prints the program's path on the last line
#   options            of `tine run`, one line
#   counts FILE        whether branches and lines of this source file count
#   $functions         an expression: of branches, those in functions that it matches; all, if it is not set
explore() { # explore NAME
    local name=${1%%/*} tool=${1#*/} folder
    local source=$work/src/$name inputs=$here/programs/$name
    folder=$work/programs/$1
    local functions=
    . "$here/programs/$name.sh"
    [ "$name" = jsmn ] || "$here/fetch.sh" "$work/src" "$name" || return 1
    local configured=$work/programs/$name/configured
    mkdir -p "$folder"
    if [ ! -e "$configured/.done" ]; then
        mkdir -p "$configured"
        (cd "$configured" && CC=clang-22 prepare && touch .done) >"$folder/prepare.log" 2>&1 </dev/null || return 1
    fi
    local kind program
    for kind in tine gcov; do
        local build=$work/programs/$name/$kind
        [ -e "$build" ] || cp -a "$configured" "$build"
        case $kind in tine) CC="$tine cc" ;; gcov) CC="gcc --coverage -w" ;; esac
        program=$(cd "$build" && build 2>"$folder/$kind.log" </dev/null | tee -a "$folder/$kind.log" | tail -1)
        [ -n "$program" ] && [ -f "$build/$program" ] || { echo "see $folder/$kind.log"; return 1; }
    done
    rm -rf "$folder/session" "$folder/replay"
    find "$work/programs/$name/gcov" -name '*.gcda' -delete
    mkdir "$folder/replay"
    # shellcheck disable=SC2046
    (cd "$folder/replay" && timeout $((2 * seconds + 60)) ${BENCH_PREFIX:-} "$tine" run "$work/programs/$name/tine/$program" --json --quiet \
        --out ../session --max-time ${seconds}s --solver-timeout 1s --strategy "${STRATEGY:-auto}" $(options)) >"$folder/summary.json" 2>"$folder/run.log"
    local case
    for case in $("$tine" show "$folder/session" | cut -d' ' -f1); do
        "$tine" show "$folder/session" "$case" --shell >"$folder/case.sh"
        (cd "$folder/replay" && PROGRAM=$work/programs/$name/gcov/$program timeout 5 sh "$folder/case.sh") >/dev/null 2>&1
    done
    (cd "$work/programs/$name/gcov" && find . -name '*.gcda' -exec gcov -t {} + 2>/dev/null) >"$folder/gcov.txt"
    python3 "$here/programs/measure.py" "$1" "$folder" "$(declare -f counts)" "$functions"
}

seconds=${SECONDS_EACH:-60}
failed=0
printf '%-18s %7s %7s %16s %16s %13s %5s %6s\n' program runs runs/s branches 'gcov lines' agree lost errors
for name in "${names[@]}"; do
    said=$(explore "$name") || { failed=1; said="the build or the run stopped: $said"; }
    printf '%s\n' "$said"
done
exit $failed
