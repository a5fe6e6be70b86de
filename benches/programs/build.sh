# Fetching and building the programs of this folder, for scripts that source this. They set $here, $work and $tine.
#
# In the functions of programs/NAME.sh: $source, $inputs (the folder beside the script), $tool.
#   prepare            once, with gcc, for clang has headers that it has not; in $work/programs/NAME/configured
#   build              with $CC, in a copy of it; prints the program's path on the last line
#   options            of `tine run`, one line
#   search_options     the same for search.sh; `options` if there is none
#   surroundings       makes what the program finds in its working directory, in search.sh; nothing if there is none
#   counts FILE        whether branches and lines of this source file count
#   $functions         an expression: of branches, those in functions that it matches; all, if it is not set
#   $unpacked          set to nothing where there is no source package to unpack

# built NAME[/TOOL] KIND: builds with `tine cc` (tine), for coverage (gcov) or as it is (native), and sets $program to the path. Leaves logs in
# $work/programs/NAME. Not in a subshell: what NAME.sh defines is for the caller, too.
built() {
    local name=${1%%/*} kind=$2 folder=$work/programs/$1
    tool=${1#*/} source=$work/src/$name inputs=$here/programs/$name functions= unpacked=yes program=
    unset -f search_options surroundings
    . "$here/programs/$name.sh"
    [ -z "$unpacked" ] || "$here/fetch.sh" "$work/src" "$name" || return 1
    local configured=$work/programs/$name/configured build=$work/programs/$name/$kind
    mkdir -p "$folder"
    if [ ! -e "$configured/.done" ]; then
        mkdir -p "$configured"
        (cd "$configured" && CC=gcc prepare && touch .done) >"$folder/prepare.log" 2>&1 </dev/null \
            || { echo "see $folder/prepare.log"; return 1; }
    fi
    # What another tine has built is no measure of this one; nor is a replay as it was before.
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

# What is linked into a program for coverage.
replayed() { gcc -c "$here/programs/replayed.c" -o "$work/replayed.o"; }
