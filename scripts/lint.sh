#!/usr/bin/env bash
# Format, lints, licences.
set -eu
cargo fmt --all --check
# Uses the profile of the tests, so that native code is built only once.
cargo clippy --release --locked --all-targets --quiet -- -D warnings
# The comments of the command line are its help messages.
RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" cargo doc --release --locked --workspace --exclude tine-cli --no-deps --quiet
if command -v cargo-deny >/dev/null 2>&1; then
    cargo deny --locked --log-level error check bans licenses sources
else
    echo "lint: cargo-deny is not installed; licences and duplicates were not checked" >&2
fi
