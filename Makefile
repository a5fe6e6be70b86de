# What people type. `make demo` and `make test` work on a fresh Debian machine with rustup.

CARGO ?= cargo
TINE = target/release/tine

.PHONY: all setup build demo test test-long lint bench bench-ablation bench-headlines bench-loops bench-report bench-memory bench-programs bench-search bench-solver bench-structures deb docs fuzz fuzz-solver install clean bench-spec bench-changed bench-hub bench-believable

all: build

setup:
	@scripts/setup.sh

build: setup
	$(CARGO) build --release --locked

# The main job on a small scale: a function in, its paths and errors out.
demo: build
	scripts/demo.sh $(TINE)

# Everything that must hold. Uses cargo-nextest where it is installed.
test: build
	@scripts/setup.sh test
	scripts/test.sh

test-long: build
	@scripts/setup.sh test
	TINE_LONG=1 TINE_CHECKS=2000 TINE_CSMITH_PROGRAMS=200 TINE_FEATURE_PROGRAMS=100 TINE_ADDRESS_PROGRAMS=300 scripts/test.sh

# Generated units, random programs and library models against brute force and native builds, with new seeds until one
# fails; the failing unit is made smaller and printed. Ctrl-C ends it. SEED=N starts from a known seed.
fuzz: build
	scripts/fuzz.sh $(SEED)

# Every tier of the solver, the chain and every rule of rewriting against plain SMT, on random queries: nineteen properties,
# $(FUZZ_SECONDS) each, as many at a time as there are processors (some three minutes on two). What is answered wrongly is
# made as small as it gets, and its seed is printed; SEED=N tries the same seeds again.
FUZZ_SECONDS ?= 20
SEED ?= $(shell date +%s)
fuzz-solver: setup
	@seed=$(SEED); echo "fuzz-solver: SEED=$$seed FUZZ_SECONDS=$(FUZZ_SECONDS)"; \
	TINE_FUZZ_SEED=$$seed TINE_FUZZ_SECONDS=$(FUZZ_SECONDS) $(CARGO) test --release --locked -p tine-solver -- \
	    --nocapture tiers:: rules:: random:: domains:: pointers::

lint:
	scripts/lint.sh

bench: build
	benches/run.sh

# CUTE's Figure 10: lists, trees, hash tables and sorting, with and without bugs.
bench-structures: build
	benches/structures.sh

# Pointers and symbolic addresses: the longest list, red-black trees with bugs, tables.
bench-memory: build
	benches/memory.sh

# Real programs, a minute each: parsers, grep, sed, diff, Lua, coreutils; every kept input is measured with gcov.
bench-programs: build
	benches/programs.sh

# Coverage against runs for every strategy, as pictures (CREST, Figures 1 to 3). Hours; benches/search.sh says how to do less.
bench-search: build
	benches/search.sh

# One tier, one member of auto or one heuristic less at a time, on twelve units and programs; writes docs/ablation.md. 20 minutes.
bench-ablation: build
	benches/ablation.py

# Streams of queries from examples, structures and parsers of Debian packages: tiers against plain solvers.
bench-solver: build
	benches/streams.sh

# Infinite loops that are proved and long loops that end: errors and time per run.
bench-loops: build
	benches/loops.sh

# Subjects of papers, with the published figures beside tine's; writes benches/results/DATE-headlines.json. Three minutes.
bench-headlines: build
	benches/headlines.py

# Runs until the violation of a specification, in ten components, with and without guidance.
bench-spec: build
	benches/specs.py $(TINE)

# Mutants of structures: how many each strategy kills, after how many runs, and how many are proved equivalent. An hour or two.
bench-changed: build
	benches/changed.py

# Errors and requirements of functions of Debian libraries, against a hand-made list. Ten minutes.
bench-believable: build
	benches/believable.py $(TINE)

# Workers of a hub against --jobs, scaling to 64 workers, and the selector's cost. Ten minutes, on an idle machine.
bench-hub: build
	@scripts/setup.sh test
	$(CARGO) build --release --locked -p tine-remote --example waiting_workers
	benches/hub.py $(TINE)

# docs/benchmarks.md from benches/results/*.json.
bench-report:
	TINE_BLESS=1 $(CARGO) test --release --locked -p tine-cli --test docs -- --exact benchmarks

# The program, man pages and completions. PREFIX and DESTDIR as usual.
PREFIX ?= /usr/local
install: build
	install -Dm755 $(TINE) $(DESTDIR)$(PREFIX)/bin/tine
	$(TINE) generate man $(DESTDIR)$(PREFIX)/share/man/man1
	$(TINE) generate completions target/completions
	install -Dm644 target/completions/tine.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/tine
	install -Dm644 target/completions/_tine $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_tine
	install -Dm644 target/completions/tine.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/tine.fish

# A Debian package in target/debian. Needs cargo-deb (cargo install cargo-deb).
deb: build
	$(TINE) generate man target/man
	$(TINE) generate completions target/completions
	$(CARGO) deb --locked --no-build -p tine-cli

# Generated pages of docs/reference, and the outputs that documents show.
docs: build
	TINE_BLESS=1 $(CARGO) test --release --locked -p tine-cli --test docs

clean:
	$(CARGO) clean
