#!/usr/bin/env bash
# Repeats the independent checks with new seeds until one fails. fuzz.sh [SEED]
set -eu
seed=${1:-$(date +%s)}
while :; do
    echo "fuzz: seed $seed"
    TINE_CHECKS_SEED=$seed TINE_CHECKS=100 cargo test --release --locked --quiet -p tine-cli --test checks --test libc
    TINE_ADDRESS_SEED=$seed TINE_ADDRESS_PROGRAMS=20 cargo test --release --locked --quiet -p tine-cli --test addresses
    seed=$((seed + 100))
done
