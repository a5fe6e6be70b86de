#!/usr/bin/env bash
# programs.sh [TINE] [NAME…]: explores real programs from Debian's sources for a minute each, runs every kept input with
# a native build, and measures its coverage with gcov.
#
# Prints a line per program: runs per second, covered branch sides of all in the relevant sources, lines there that gcov
# saw executed, if gcov saw every line on which tine covered a branch, places where input flowed into uninstrumented
# code, errors.
#
# programs/NAME.sh describes how to build a program. NAME is one of those, or `coreutils/TOOL`. All files are written
# below target/benches (or $TINE_BENCH_DIR). SECONDS_EACH (60) is the time per program, STRATEGY (auto) the search
# strategy.
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

. "$here/programs/build.sh"

explore() { # explore NAME
    local name=${1%%/*} folder=$work/programs/$1 program native
    local tool source inputs functions unpacked # of the program's script
    built "$1" gcov || return 1
    native=$program
    built "$1" tine || return 1
    rm -rf "$folder/session" "$folder/replay"
    find "$work/programs/$name/gcov" -name '*.gcda' -delete
    mkdir "$folder/replay"
    # shellcheck disable=SC2046
    (cd "$folder/replay" && timeout $((2 * seconds + 60)) ${BENCH_PREFIX:-} "$tine" run "$program" --json --quiet \
        --out ../session --max-time ${seconds}s --solver-timeout 1s --strategy "${STRATEGY:-auto}" $(options)) >"$folder/summary.json" 2>"$folder/run.log"
    local code=$?
    [ -s "$folder/summary.json" ] || { echo "tine ended with exit code $code, see $folder/run.log"; return 1; }
    local case
    for case in $("$tine" show "$folder/session" | cut -d' ' -f1); do
        "$tine" show "$folder/session" "$case" --shell >"$folder/case.sh"
        # Output goes to the same kind of file as under tine: one in append mode (`copy_file_range` rejects that).
        : >"$folder/output"
        (cd "$folder/replay" && PROGRAM=$native timeout -s SYS 2 sh "$folder/case.sh") >>"$folder/output" 2>&1
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
