#!/usr/bin/env bash
# streams.sh [TINE]: streams of queries, recorded from the examples, the structures and parsers of Debian packages, and
# solved again: the chain of tiers against plain incremental Bitwuzla and plain Z3, and the chain with the answers of an
# earlier run. `make bench-solver` calls it.
#
# All files are written below target/benches (or $TINE_BENCH_DIR): sources, programs, streams. A stream has the first
# $QUERIES (2000) distinct queries of explorations of at most $RECORD_TIME (20s) each, after rewriting and slicing.
# KEEP=1 uses the existing streams. Z3_MS and PATIENCE are described in crates/solver/benches/streams.rs, BENCH_PREFIX
# in run.sh. The output has the tables of docs/benchmarks.md; QUERIES=100 RECORD_TIME=5s takes two minutes.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
tine=$(realpath "${1:-$root/target/release/tine}")
[ -x "$tine" ] || { echo "streams: no $tine; build it with make build, or give its path" >&2; exit 2; }
read -ra prefix <<<"${BENCH_PREFIX:-}"
work=${TINE_BENCH_DIR:-$root/target/benches}
mkdir -p "$work/streams"
work=$(cd "$work" && pwd)
queries=${QUERIES:-2000}
failed=0

# record NAME WORDS…: explores with `tine WORDS…` and keeps the stream.
record() {
    local name=$1 code
    shift
    echo "streams: $name: ${*##*/}" >&2
    timeout 600 "$tine" "$@" --out "$work/streams/out" --quiet --json --max-time "${RECORD_TIME:-20s}" --solver-timeout 2s \
        --experimental --solver-record "$work/streams/part" >"$work/streams/log" 2>&1
    code=$?
    rm -rf "$work/streams/out"
    if [ $code -gt 1 ]; then
        echo "streams: the exploration of $name failed:" >&2
        tail -3 "$work/streams/log" >&2
        failed=1
        return
    fi
    cat "$work/streams/part" >>"$work/streams/$name.stream"
}
# The first N queries.
cut_off() { awk -v most="$queries" '/^query$/ { n++ } n > most { exit } { print }' "$1" >"$1.cut" && mv "$1.cut" "$1"; }

record_all() {
    rm -f "$work"/streams/*.stream
    for file in "$root"/examples/*.c; do
        words=$(sed -n '1s|^// tine-test: ||p' "$file")
        options=()
        for option in depth requires ensures max-objects run-timeout sym-argv sym-stdin sym-file sym-env; do
            value=$(sed -nE "s/.*(^| )$option=([^ ]+).*/\2/p" <<<"$words")
            [ -z "$value" ] || options+=("--$option" "$value")
        done
        case $words in
        fn=*) record examples test "$file" --fn "$(sed -E 's/^fn=([^ ]+).*/\1/' <<<"$words")" "${options[@]}" ;;
        *) "$tine" cc "$file" -o "$work/streams/program" && record examples run "$work/streams/program" "${options[@]}" ;;
        esac
    done
    for check in "$here"/structures/*.check.c; do
        name=$(basename "$check" .check.c)
        while read -r op options; do
            objects=$(sed -nE 's/.*max-objects=([0-9]+).*/\1/p' <<<" $options")
            record "$name" test "$check" --fn "$op" --requires "can_$op" ${objects:+--max-objects "$objects"}
        done < <(sed -nE 's|^/\* op: (.*) \*/$|\1|p' "$check")
    done

    # Parsers: sources by name. jsmn is a header, which its binary package contains.
    "$here/fetch.sh" "$work/src" cjson jansson expat || failed=1
    if [ ! -e "$work/src/jsmn" ]; then
        mkdir -p "$work/src/.deb"
        (cd "$work/src/.deb" && apt-get download -q libjsmn-dev >/dev/null 2>&1 && dpkg-deb -x libjsmn-dev_*.deb .new && mv .new ../jsmn) \
            || { echo "streams: cannot fetch libjsmn-dev" >&2; failed=1; }
    fi
    # parser NAME SOURCES AND FLAGS…
    parser() {
        local name=$1
        shift
        "$tine" cc -O1 -w "$here/streams/$name.c" "$@" -o "$work/streams/$name" || { echo "streams: $name does not build" >&2; failed=1; return; }
        record "$name" run "$work/streams/$name" --max-runs 20000 --strategy "${STRATEGY:-bfs}"
    }
    src=$work/src
    [ -e "$src/jsmn" ] && parser jsmn -I"$src/jsmn/usr/include"
    [ -e "$src/cjson" ] && parser cjson -I"$src/cjson" "$src/cjson/cJSON.c" -lm
    if [ -e "$src/jansson" ]; then
        mkdir -p "$work/streams/jansson_config"
        sed -E 's/@json_inline@/inline/; s/@json_have_[a-z_]+@/1/; s/@[a-z_]+@/0/' "$src/jansson/src/jansson_config.h.in" \
            >"$work/streams/jansson_config/jansson_config.h"
        printf '#define %s 1\n' HAVE_STDINT_H HAVE_SYS_TYPES_H HAVE_UNISTD_H >"$work/streams/jansson_config/jansson_private_config.h"
        parser jansson -I"$work/streams/jansson_config" -I"$src/jansson/src" -DHAVE_CONFIG_H "$src"/jansson/src/*.c -lm
    fi
    [ -e "$src/expat" ] && parser expat -I"$src/expat/expat/lib" -DHAVE_STDINT_H -DXML_POOR_ENTROPY -DXML_GE=1 -DXML_CONTEXT_BYTES=1024 \
        "$src"/expat/expat/lib/xml{parse,role,tok}.c

    for stream in "$work"/streams/*.stream; do cut_off "$stream"; done
}
[ -n "${KEEP:-}" ] || record_all

cd "$root" || exit 1
bench=$(cargo bench --quiet --locked -p tine-solver --bench streams --no-run --message-format json 2>/dev/null |
    grep -oE '"executable":"[^"]*streams-[^"]*"' | tail -1 | cut -d'"' -f4)
[ -n "$bench" ] || { echo "streams: the benchmark does not build" >&2; exit 1; }
"${prefix[@]}" "$bench" "$work"/streams/*.stream || { echo "streams: the benchmark ended with $?" >&2; failed=1; }
exit $failed
