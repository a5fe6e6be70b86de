#!/usr/bin/env bash
# Lints, then all tests.
set -eu
scripts/lint.sh
if command -v cargo-nextest >/dev/null 2>&1; then
    cargo nextest run --locked --release --workspace --no-fail-fast
    cargo test --locked --release --workspace --doc --quiet
else
    cargo test --locked --release --workspace --no-fail-fast
fi
