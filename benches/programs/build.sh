# Fetches and builds the programs of this folder, for scripts that source this one. They set $here, $work and $tine.
#
# Variables in the functions of programs/NAME.sh: $source, $inputs (the folder beside the script), $tool.
#   prepare            once, with gcc, because clang has headers that gcc lacks; in $work/programs/NAME/configured
#   build              with $CC, in a copy of it; prints the program's path on the last line
#   options            of `tine run`, one line
#   search_options     the same for search.sh; by default `options`
#   environment_files       creates the files of the program's working directory, in search.sh; optional
#   counts FILE        succeeds if branches and lines of this source file count
#   $functions         an expression: only branches in functions that match it count; by default all
#   $unpacked          set to nothing if there is no source package to unpack

# built NAME[/TOOL] KIND: builds with `tine cc` (tine), for coverage (gcov) or unchanged (native), and sets $program to
# the path. Writes logs to $work/programs/NAME. Not in a subshell, because the caller also needs the definitions of
# NAME.sh.
built() {
    local name=${1%%/*} kind=$2 folder=$work/programs/$1
    tool=${1#*/} source=$work/src/$name inputs=$here/programs/$name functions= unpacked=yes program=
    unset -f search_options environment_files
    . "$here/programs/$name.sh"
    [ -z "$unpacked" ] || "$here/fetch.sh" "$work/src" "$name" || return 1
    local configured=$work/programs/$name/configured build=$work/programs/$name/$kind
    mkdir -p "$folder"
    if [ ! -e "$configured/.done" ]; then
        mkdir -p "$configured"
        (cd "$configured" && CC=gcc prepare && touch .done) >"$folder/prepare.log" 2>&1 </dev/null \
            || { echo "see $folder/prepare.log"; return 1; }
    fi
    # Builds of another tine do not count for this one, and neither do old replays.
    local maker
    case $kind in tine) maker=$tine ;; gcov) maker=$here/programs/replayed.c ;; native) maker= ;; esac
    [ ! "$maker" -nt "$build/.built" ] || rm -rf "$build"
    [ -e "$build" ] || { cp -a "$configured" "$build" && touch "$build/.built"; }
    local CC
    case $kind in tine) CC="$tine cc" ;; gcov) replayed && CC="gcc --coverage -w -Wl,$work/replayed.o" ;; native) CC="clang-22 -w" ;; esac
    program=$(cd "$build" && build 2>"$folder/$kind.log" </dev/null | tee -a "$folder/$kind.log" | tail -1)
    [ -n "$program" ] && [ -f "$build/$program" ] || { echo "see $folder/$kind.log"; return 1; }
    program=$build/$program
}

# Code that is linked into a program for coverage.
replayed() { gcc -c "$here/programs/replayed.c" -o "$work/replayed.o"; }
