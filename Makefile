# Two entries: `make demo` shows the program at work, `make test` checks it. Both do their own set-up.

.PHONY: demo test set-up

# One build for both programs: they share nearly all crates.
demo: set-up
	@started=$$(date +%s) && \
	cargo build --release --locked --package rusk --package xtask && \
	cargo run --release --locked --quiet --package xtask -- demo --built-since $$started

# The crates are fetched first; the tests themselves need no network.
test: set-up
	cargo fetch --locked
	cargo test --workspace --locked --offline

set-up:
	@.ci/set-up
