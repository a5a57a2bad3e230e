# Two entries: `make demo` shows the program at work, `make test` checks it. Both do their own set-up.

.PHONY: demo test set-up

demo: set-up
	cargo xtask demo

# The crates are fetched first; the tests themselves need no network.
test: set-up
	cargo fetch --locked
	cargo test --workspace --locked --offline

set-up:
	@.ci/set-up
