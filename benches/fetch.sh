#!/usr/bin/env bash
# fetch.sh FOLDER PACKAGE…: unpacks the Debian sources of the packages below FOLDER (once each), with Debian's patches.
# Uses a private copy of this machine's package sources in which source packages are enabled, so the system's
# configuration does not change.
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
shift
lists=$folder/.apt
mkdir -p "$lists/parts" "$lists/lists/partial"
options=(-o "Dir::Etc::SourceList=$lists/sources.list" -o "Dir::Etc::SourceParts=$lists/parts"
         -o "Dir::State::Lists=$lists/lists" -o "APT::Sandbox::User=root")

if [ ! -e "$lists/updated" ]; then
    : >"$lists/sources.list"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -e "$file" ] && grep -h '^deb .*debian' "$file" | sed 's/^deb /deb-src /' >>"$lists/sources.list" || true
    done
    for file in /etc/apt/sources.list.d/*.sources; do
        [ -e "$file" ] && grep -q debian "$file" && sed 's/^Types:.*/Types: deb-src/' "$file" >"$lists/parts/$(basename "$file")"
    done
    apt-get "${options[@]}" update -q >/dev/null 2>&1 || { echo "fetch: cannot read the package lists" >&2; exit 1; }
    touch "$lists/updated"
fi

# Take any available version: the newest in the list is not always on the server.
fetch() {
    local version
    apt-get "${options[@]}" source -q "$1" && return 0
    for version in $(apt-cache "${options[@]}" showsrc "$1" | sed -n 's/^Version: //p' | sort -rVu); do
        rm -rf ./*
        apt-get "${options[@]}" source -q "$1=$version" && return 0
    done
    return 1
}

for package in "$@"; do
    [ -e "$folder/$package" ] && continue
    rm -rf "$folder/.new" && mkdir "$folder/.new"
    (cd "$folder/.new" && fetch "$package" >../.log 2>&1) \
        || { echo "fetch: cannot fetch the source of $package:" >&2; tail -3 "$folder/.log" >&2; exit 1; }
    mv "$(find "$folder/.new" -mindepth 1 -maxdepth 1 -type d | head -1)" "$folder/$package"
    rm -rf "$folder/.new"
done
