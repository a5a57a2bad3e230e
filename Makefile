# Three entries: `make demo` shows the program at work, `make test` checks it, `make docs` builds the documentation as a
# site. Each does its own set-up.

.PHONY: demo test docs set-up

# One build for both programs: they share nearly all crates.
demo: set-up
	@started=$$(date +%s) && \
	cargo build --release --locked --package rusk --package xtask && \
	cargo run --release --locked --quiet --package xtask -- demo --built-since $$started

# The crates are fetched first; the tests themselves need no network.
test: set-up
	cargo fetch --locked
	cargo test --workspace --locked --offline

# The site in target/book. mdbook comes from crates.io, at the first time.
MDBOOK = target/tools/bin/mdbook
docs: $(MDBOOK)
	$(MDBOOK) build

$(MDBOOK):
	cargo install mdbook --version 0.5.4 --locked --no-default-features --features search --root target/tools

set-up:
	@.ci/set-up
