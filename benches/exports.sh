#!/usr/bin/env bash
# exports.sh [TINE] [PACKAGE…]: explores every function of some files of five Debian sources, exports the cases as tests
# in plain C, and builds and runs them as a project would: `make check check-errors`, all warnings as errors.
#
# Prints a line per package: functions, tests, cases left out because their test does not compile, suites that do not
# build, tests that fail. Exit code 1 if less than 95 % of the tests compile at once, or a test fails. All files are
# written below target/benches (or $TINE_BENCH_DIR). With RESULTS=FILE, the table is also written as JSON.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
tine=$root/target/release/tine
case ${1:-} in */*) tine=$(realpath "$1") && shift ;; esac
[ -x "$tine" ] || { echo "exports: no $tine; build it with make build, or give its path" >&2; exit 2; }
work=${TINE_BENCH_DIR:-$root/target/benches}
mkdir -p "$work"
work=$(cd "$work" && pwd)
seconds=${SECONDS_PER_FILE:-30}

# The files of a package, and the flags that they need. Files after a + only complete the unit.
declare -A files=(
    [libcsv]="libcsv.c"
    [utf8proc]="utf8proc.c"
    [zlib]="adler32.c crc32.c"
    [giflib]="gif_hash.c gifalloc.c+gif_hash.c+openbsd-reallocarray.c"
    [libtommath]="bn_mp_cmp.c+bn_mp_cmp_mag.c bn_mp_cnt_lsb.c bn_mp_set.c+bn_mp_zero.c bn_mp_clamp.c"
)
declare -A flags=([zlib]="-I." [giflib]="-I." [libtommath]="-I.")
packages=("$@")
[ ${#packages[@]} -gt 0 ] || packages=(libcsv utf8proc zlib giflib libtommath)
"$here/fetch.sh" "$work/src" "${packages[@]}" || exit 2

failed=0
rows=()
printf '%-10s %9s %6s %10s %8s %6s\n' package functions tests uncompiled unbuilt failed
for package in "${packages[@]}"; do
    functions=0 tests=0 uncompiled=0 unbuilt=0 wrong=0
    for unit in ${files[$package]}; do
        out=$work/exports/$package/$(basename "${unit%%+*}" .c)
        rm -rf "$out" && mkdir -p "$out"
        (cd "$work/src/$package" && "$tine" test ${unit//+/ } --cflags "${flags[$package]:-}" --max-time "${seconds}s" \
            --quiet --out "$out/sessions") >"$out/log" 2>&1
        "$tine" export "$out/sessions" --format c --out "$out/tests" >"$out/exported" 2>&1
        n=$(sed -nE 's/^.*: ([0-9]+) tests.*$/\1/p' "$out/exported" | awk '{ n += $1 } END { print n + 0 }')
        e=$(sed -nE 's/^.* and ([0-9]+) that show errors.*$/\1/p' "$out/exported" | awk '{ n += $1 } END { print n + 0 }')
        tests=$((tests + n + e))
        uncompiled=$((uncompiled + $(grep -c 'does not compile' "$out/exported")))
        while read -r makefile; do
            functions=$((functions + 1))
            suite=$(dirname "$makefile")
            if ! make -s -C "$suite" all >"$suite/log" 2>&1; then
                unbuilt=$((unbuilt + 1))
            elif ! make -s -C "$suite" check check-errors >>"$suite/log" 2>&1; then
                wrong=$((wrong + $(grep -c '^FAILED' "$suite/log")))
                grep -q '^FAILED' "$suite/log" || unbuilt=$((unbuilt + 1))
            fi
        done < <(find "$out/tests" -name Makefile 2>/dev/null | sort)
    done
    printf '%-10s %9s %6s %10s %8s %6s\n' "$package" $functions $tests $uncompiled $unbuilt $wrong
    rows+=("[\"$package\",\"$functions\",\"$tests\",\"$uncompiled\",\"$unbuilt\",\"$wrong\"]")
    [ $tests -gt 0 ] && [ $((uncompiled * 100)) -le $(((tests + uncompiled) * 5)) ] && [ $unbuilt = 0 ] && [ $wrong = 0 ] || failed=1
done
if [ -n "${RESULTS:-}" ]; then
    machine=$(sed -n '/"machine"/,/}/p' "$(ls "$here"/results/*-structures.json | tail -1)" | sed '$s/},*$/}/')
    rows=$(IFS=,; echo "${rows[*]}")
    cat >"$RESULTS" <<EOF
{
  "schema": 1,
  "name": "exports",
  "title": "Exported tests of Debian sources",
  "note": "Every function of some files of five Debian sources, explored for $seconds s per file and exported in plain C: tests that are left out because they do not compile, suites that do not build with all warnings as errors, and tests that fail on the version they were made from. Goals: 5 % at most, none, none.",
  "date": "$(date +%F)",
  "commit": "$(git -C "$root" rev-parse --short HEAD)",
  "command": "benches/exports.sh",
$machine,
  "columns": ["package", "functions", "tests", "not compiled", "suites not built", "failed"],
  "rows": [$rows]
}
EOF
fi
exit $failed
