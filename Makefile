# What is needed beyond the Swift toolchain: make. Modules that need a system's library are built and tested where its headers are: those of
# SQLite (libsqlite3-dev), and of OpenSSL 3 (libssl-dev).
has = $(shell echo '\#include <$(1)>' | clang -E -x c - >/dev/null 2>&1 && echo yes)
WITH := $(if $(call has,sqlite3.h),SQLite) $(if $(call has,openssl/core.h),Encryption)
WITHOUT := $(filter-out $(WITH),SQLite Encryption)
space := $() $()
comma := ,
TRAITS = $(if $(strip $(WITH)),--traits $(subst $(space),$(comma),$(strip $(WITH))))
# Tests that crash on purpose wait for the backtracer otherwise, which may never end when several crash at once.
export SWIFT_BACKTRACE = enable=no
# Tests wait for sockets and time-outs of their own; hundreds at once would starve each other on a small machine.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH = 4

.PHONY: demo docs test test-release test-thread soak fuzz lint bench bench-cache bench-count bench-transport bench-note

# An interactive browser of a REST API. Without a terminal it plays a script and checks itself.
demo: export SWIFT_BACKTRACE = interactive=no
demo:
	swift run --package-path Examples -c release github-browser $(ARGUMENTS)

# Everything that has to hold before a change is done.
test: lint
	$(if $(WITHOUT),@echo "Left out for want of headers: $(WITHOUT:%=Siesta%).")
	swift build $(TRAITS) --build-tests
	swift test $(TRAITS) --skip-build
	.ci/servers $(TRAITS)
	swift test --package-path Examples

test-release:
	swift test $(TRAITS) -c release -Xswiftc -enable-testing

# In parts, since all of it at once takes longer than a test may.
test-thread: export SIESTA_TEST_EFFORT = reduced
test-thread:
	swift build $(TRAITS) --build-tests --sanitize=thread --scratch-path .build/thread
	swift test $(TRAITS) --skip-build --sanitize=thread --scratch-path .build/thread --skip $(TRANSPORT_TESTS) --skip $(STORE_TESTS)
	swift test $(TRAITS) --skip-build --sanitize=thread --scratch-path .build/thread --filter $(STORE_TESTS)
	swift test $(TRAITS) --skip-build --sanitize=thread --scratch-path .build/thread --filter $(TRANSPORT_TESTS)

TRANSPORT_TESTS = 'CurlTransportTests|ProviderConformanceTests'
STORE_TESTS = 'SiestaSQLiteTests|SiestaEncryptionTests|SiestaTests.*(Cache|Stor|Torture|FullDisk|Persistence|LargeTransfer)'

# The storms of the transport, transfers of 2 GB, and what caches have to stand, in the numbers that a release has to stand.
soak: export SOAK = 1
soak:
	swift test $(TRAITS) --filter 'StormTests|ExitTests|LargeTransferTests|TortureTests|EncryptedCacheTests|WipeSchedulesTests'

# Linux only. RUNS=number, and SEED=number to repeat a run. FUZZERS=name chooses one.
RUNS ?= 1000000
FUZZERS ?= $(notdir $(wildcard Fuzzing/Sources/*Fuzzer))
fuzz:
	swift build --package-path Fuzzing -c release
	set -e; cd Fuzzing/.build; for fuzzer in $(FUZZERS); do \
		mkdir -p $$fuzzer; echo "$$fuzzer"; \
		release/$$fuzzer -runs=$(RUNS) -max_len=4096 $(if $(SEED),-seed=$(SEED)) $$fuzzer; \
	done

# What the core costs: time beside reference loops, allocations, memory, and whether the targets are met. FILTER=name chooses rows.
bench:
	swift run --package-path Benchmarks -c release Benchmarks $(if $(FILTER),--filter "$(FILTER)")

# Instructions and allocations of each operation, which must not exceed Benchmarks/thresholds.json. Needs Linux and valgrind.
bench-count:
	Benchmarks/count --check $(if $(FILTER),--filter "$(FILTER)")

# The transport beside libcurl in C, URLSession and wrk, on an nginx of its own. Linux only; takes about three minutes.
bench-transport:
	Benchmarks/transport $(if $(FILTER),--filter "$(FILTER)")

# What caches cost beside plain files and SQLite in C; FULL=1 also writes 7 GB.
bench-cache:
	swift run $(TRAITS) --package-path Benchmarks -c release CacheBenchmarks $(if $(FULL),--full)

# Writes the figures of all three into the note about them.
bench-note:
	swift run --package-path Benchmarks -c release Benchmarks --markdown Documentation/Performance.md
	Benchmarks/count --markdown Documentation/Performance.md
	Benchmarks/transport --markdown Documentation/Performance.md

lint:
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Snippets Examples/Package.swift Examples/Sources Examples/Tests \
		Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests \
		Fuzzing/Package.swift Fuzzing/Sources/FuzzDriver $(wildcard Fuzzing/Sources/*Fuzzer)
	.ci/layers
	.ci/snippets

# Static HTML in .build/docs/html. Warnings are errors, and 97 % of the public declarations have to be documented.
docs:
	.ci/docs
