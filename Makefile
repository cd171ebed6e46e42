# Beyond the Swift toolchain, only make is needed. Modules that use a library of the system are built and tested only if its headers are
# installed: those of SQLite (libsqlite3-dev), of OpenSSL 3 (libssl-dev) and of GTK 4.8 (libgtk-4-dev).
# Since version 4.3, make keeps a backslash before # in a function.
hash := \#
has = $(shell echo '$(hash)include <$(1)>' | clang -E -x c - >/dev/null 2>&1 && echo yes)
# The headers of GTK include those of 15 other packages. Only pkg-config knows the folders of them all, and SwiftPM asks it, too.
has-gtk = $(shell pkg-config --exists 'gtk4 >= 4.8' 2>/dev/null && echo yes)
WITH := $(if $(call has,sqlite3.h),SQLite) $(if $(call has,openssl/core.h),Encryption) $(if $(has-gtk),GTK)
WITHOUT := $(filter-out $(WITH),SQLite Encryption GTK)
space := $() $()
comma := ,
TRAITS := $(if $(strip $(WITH)),--traits $(subst $(space),$(comma),$(strip $(WITH))))
# SwiftPM passes the traits to the compiler in the order of a set. If another run had another order, everything would be built again.
export SWIFT_DETERMINISTIC_HASHING = 1
# Some tests crash on purpose. With a backtracer they would wait for it, and it may never end if several processes crash at once.
export SWIFT_BACKTRACE = enable=no

# The options of all builds in debug mode. Nothing needs the index, which takes a fifth of the time: Tests/XCTMain.swift finds the tests
# without it. Information for a debugger takes a tenth of the time; DEBUG_INFO= adds it.
DEBUG_INFO = -debug-info-format none
# One process compiles each module as a whole. Otherwise, another process would check the types of the module, and expand its macros, once
# more for its interface: a quarter of the time. For each module, the compiler prints a remark that the build is not incremental. After
# `make incremental`, builds compile file by file.
WHOLE_MODULES = $(if $(wildcard .build/incremental),,-Xswiftc -wmo -Xswiftc -no-emit-module-separately-wmo \
	-Xswiftc -num-threads -Xswiftc 2 -Xswiftc -disable-batch-mode)
BUILD = $(TRAITS) $(WHOLE_MODULES) --disable-index-store $(DEBUG_INFO)

# The products of the builds. All checks of one kind share one build.
DEBUG = .build/debug
RELEASE = .build/release
THREAD = .build/thread/debug
ADDRESS = .build/address/debug
# Tests use `@testable import`.
FOR_RELEASE = $(TRAITS) -c release -Xswiftc -no-emit-module-separately-wmo -Xswiftc -enable-testing \
	--disable-index-store $(DEBUG_INFO)

.DEFAULT_GOAL := test

## The checks of each change

# Checks the formatting, builds everything, and runs all tests at the level `quick`.
.PHONY: test
test: lint
	$(if $(WITHOUT),@echo "Not built because headers are missing: $(WITHOUT:%=Siesta%).")
	$(MAKE) --no-print-directory build
	.ci/servers .ci/tests $(DEBUG)

.PHONY: lint
lint:
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Snippets Examples \
		Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests \
		PlatformCheck/Package.swift PlatformCheck/Tests $(filter-out %/CCurl,$(wildcard PlatformCheck/Sources/*)) \
		Fuzzing/Package.swift Fuzzing/Sources/FuzzDriver $(wildcard Fuzzing/Sources/*Fuzzer)
	.ci/names
	.ci/test-names
	.ci/snippets

.PHONY: build
build:
	swift build $(BUILD) --build-tests

# From now on, builds in this folder compile only what has changed. The next build compiles everything, and takes a quarter longer.
# `rm .build/incremental` undoes this.
.PHONY: incremental
incremental:
	mkdir -p .build
	touch .build/incremental

# Runs the tests again, without a build. FILTER=name selects tests.
.PHONY: run-tests
run-tests:
	.ci/tests $(DEBUG) $(if $(FILTER),--filter '$(FILTER)')

# Plays the script of the browser for the terminal, and checks the results.
.PHONY: demo-script
demo-script: build
	$(DEBUG)/GitHubBrowser --script </dev/null

# Runs the first program of the README, and that of the article about live data, with a server of the examples.
.PHONY: quickstart
quickstart: build
	.ci/quickstart $(DEBUG)

# Compares the public interface with the lists in Documentation/Interface. `make interface UPDATE=update` writes them.
.PHONY: interface
interface: build
	.ci/interface $(DEBUG) $(UPDATE)

# Writes static HTML to .build/docs/html. Fails at a warning, or if less than 97 % of the public declarations are documented.
.PHONY: docs
docs: build
	.ci/docs $(DEBUG)

# Checks that uses off the main actor are errors, and runs the tests of apps for Siesta 1.5.
.PHONY: isolation
isolation: build
	.ci/isolation $(DEBUG)

# Builds a new package that depends on this one, and runs its programs.
.PHONY: client
client:
	.ci/client

# Compares the declarations of Sources/CCurl with curl.h.
.PHONY: curl-header
curl-header:
	.ci/curl-header

# The tests of what may differ in release mode: the optimized library behind its public interface, and the benchmarks themselves.
.PHONY: release-checks
release-checks:
	.ci/release-checks

# Counts instructions and allocations of each operation, and fails if they exceed Benchmarks/thresholds.json. Needs Linux and valgrind.
.PHONY: bench-count
bench-count:
	Benchmarks/count --check $(if $(FILTER),--filter "$(FILTER)")

## The slow checks

# Runs all slow checks, continues after a failure, and ends with a table. STEPS="name …" selects steps; CONTRIBUTING.md describes them.
.PHONY: nightly
nightly:
	.ci/nightly $(STEPS)

# All tests at the level `nightly`, with the optimized library and the servers of .ci/servers. The models do ten times as much, and share
# the main actor with all tests of their process, so that each of them takes nearly as long as the whole run.
.PHONY: test-nightly
test-nightly: export SIESTA_TESTS = nightly
test-nightly: export SIESTA_TEST_TIME = 3
test-nightly: build-release
	.ci/servers .ci/tests $(RELEASE)

.PHONY: build-release
build-release:
	swift build $(FOR_RELEASE) --build-tests

# The tests ten times at the level `quick`, on a machine that is kept busy by three processes.
RUNS_UNDER_LOAD ?= 10
.PHONY: test-load
test-load: build
	.ci/under-load 3 $(RUNS_UNDER_LOAD) .ci/tests $(DEBUG)

# Linux only. Runs the tests of JSON and of what is decoded again, but Foundation does all the work.
.PHONY: test-foundation
test-foundation: export SIESTA_FOUNDATION_JSON = 1
test-foundation: build
	.ci/tests $(DEBUG) --filter 'JSON|Cod(ing|able)|Decod|Encod|Format|Problem|Typed|Pipeline|Transformer'

# The tests of the transport with a linked libcurl, which needs libcurl and zlib for the linker.
.PHONY: test-linked
test-linked:
	.ci/linked

# In seven parts, because all tests in one run would exceed the time limits of tests, and the sanitizer itself crashes in long runs. Without
# the search for lock orders: its own assertion fails in a third of the runs, in a lock that Foundation takes, and then the sanitizer waits
# for itself for ever. After a report, it may wait for ever, too; therefore the first report ends the run.
.PHONY: test-thread
test-thread: export TSAN_OPTIONS = detect_deadlocks=0:halt_on_error=1:suppressions='$(CURDIR)/.ci/thread-suppressions'
test-thread: export SIESTA_TEST_TIME = 20
test-thread: export SIESTA_TEST_TARGETS = $(filter-out $(UNTHREADED_TARGETS),$(notdir $(wildcard Tests/*Tests Examples/Tests/*Tests)))
test-thread: export SIESTA_SANITIZER = thread
test-thread: DEBUG_INFO = -Xswiftc -gline-tables-only
test-thread:
	swift build $(BUILD) --build-tests --scratch-path .build/thread
	.ci/tests $(THREAD) --filter $(TRANSPORT_TESTS)
	.ci/tests $(THREAD) --filter $(STORE_TESTS)
	for part in "--part 0" "--part 1" "--part 2" "--part 3" --others; do \
		.ci/tests $(THREAD) $$part --skip $(TRANSPORT_TESTS) --skip $(STORE_TESTS) --skip $(UNTHREADED_TESTS) || exit 1; done

TRANSPORT_TESTS = 'CurlTransportTests|ProviderConformanceTests'
# Where one thread does everything, the sanitizer finds nothing: rules, the growth of times, and samples, whose code other tests run.
UNTHREADED_TARGETS = SampleTests DefaultIsolation5Tests DefaultIsolation6Tests Swift6ClientTests HTTPRulesTests TerminalKitTests
UNTHREADED_TESTS = 'Growth|^JSONCodingTests\.(Hostile|Mutation|Number|Tree|ObjectEncoding)'
STORE_TESTS = 'SiestaSQLiteTests|SiestaEncryptionTests|(SiestaTests|SiestaStorageTests|EndToEndTests).*(Cache|Stor|Torture|FullDisk|Persistence|LargeTransfer)'

# The tests of the code that works on bytes and in C, with the address sanitizer. The storms measure the memory of the process, which
# includes the freed blocks that the sanitizer keeps.
.PHONY: test-address
test-address: export ASAN_OPTIONS = detect_leaks=0
test-address: export SIESTA_TEST_TIME = 10
test-address: export SIESTA_TEST_TARGETS = CurlTransportTests JSONCodingTests HTTPRulesTests IsolationTests SiestaStorageTests \
	SiestaSQLiteTests SiestaEncryptionTests SiestaXMLTests SiestaTransfersTests SiestaNetworkingTests SiestaLiveTests
test-address: export SIESTA_SANITIZER = address
test-address: DEBUG_INFO = -Xswiftc -gline-tables-only
test-address:
	swift build $(BUILD) --build-tests --scratch-path .build/address
	.ci/tests $(ADDRESS) --skip StormTests
	ASAN_OPTIONS=$$ASAN_OPTIONS:quarantine_size_mb=4:thread_local_quarantine_size_kb=64 .ci/tests $(ADDRESS) --filter CurlTransportTests.StormTests

# Plays the script of the browser, records it, and plays it again from the recording, without a server.
.PHONY: demo-replay
demo-replay: build
	folder="$$(mktemp -d)"; trap 'rm -rf "$$folder"' EXIT; \
	$(DEBUG)/GitHubBrowser --script --record "$$folder" </dev/null && $(DEBUG)/GitHubBrowser --script --replay "$$folder" </dev/null

# Linux only. Checks the page of the inspector in a browser without a screen. UPDATE=1 writes the screenshots.
.PHONY: inspector-test
inspector-test: build
	.ci/inspector $(DEBUG)

# Linux only. Checks SiestaGTK in real windows of an X server without a screen. Installs what is missing. CHECKS=name selects checks,
# UPDATE=1 writes the reference screenshots. The build is that of `make test-nightly`.
.PHONY: desktop-test
desktop-test:
	.ci/screenless install
	$(MAKE) --no-print-directory build-gtk-checks
	.ci/screenless $(RELEASE)/gtk-checks --output "$(CURDIR)/.build/screenshots" \
		$(if $(CHECKS),--filter "$(CHECKS)") $(if $(UPDATE),--update)

# In a make of its own, because the first one has looked for the headers of GTK before they were installed.
.PHONY: build-gtk-checks
build-gtk-checks:
	swift build $(FOR_RELEASE) --product gtk-checks

# Compares the caching rules with hishel, a cache for Python, which it installs. COUNT=number sets the number of cases, and SEED=number
# the cases.
.PHONY: cache-differential
cache-differential: build
	.ci/cache-differential $(DEBUG)

# Records a session, and checks the file with independent readers of HAR files, which it installs.
.PHONY: har
har: build
	.ci/har $(DEBUG)

# Type-checks the code for Apple platforms, for Musl and for Android.
.PHONY: platforms
platforms:
	.ci/platforms

# Builds everything else without each of the features, and runs the tests of the core and of what used the feature. MODULES=name selects
# modules. SHARE=4 takes a fourth of them, other ones each day.
.PHONY: without
without: export OPTIONS := $(BUILD)
without: export SHARE := $(SHARE)
without:
	.ci/without $(MODULES)

# A client with a static standard library, and one with the trait LinkedCurl.
.PHONY: client-variants
client-variants:
	.ci/client variants

# Linux only. RUNS=number sets the number of inputs, SECONDS=number ends each fuzzer after this time, SEED=number repeats a run, and
# FUZZERS=name selects one fuzzer.
RUNS ?= 1000000
FUZZERS ?= $(notdir $(wildcard Fuzzing/Sources/*Fuzzer))
.PHONY: fuzz
fuzz:
	swift build --package-path Fuzzing -c release
	set -e; cd Fuzzing/.build; for fuzzer in $(FUZZERS); do \
		mkdir -p $$fuzzer; echo "$$fuzzer"; \
		release/$$fuzzer -runs=$(RUNS) -max_len=4096 $(if $(SECONDS),-max_total_time=$(SECONDS)) $(if $(SEED),-seed=$(SEED)) $$fuzzer; \
	done

# The models with all their schedules, the storms of the transport, the transfers of 2 GB, and the torture tests of the caches, with the
# counts that a release must pass. On Linux, also 10^7 mutations of JSON documents, each of which must have the result of Foundation.
.PHONY: soak
soak: export SIESTA_TESTS = soak
soak: export SIESTA_TEST_TIME = 60
soak: build
	.ci/servers install
	.ci/tests $(DEBUG) --filter $(SOAK_TESTS)
ifeq ($(shell uname),Linux)
	swift build --package-path Fuzzing -c release --product JSONFuzzer
	MUTATIONS=10000000 Fuzzing/.build/release/JSONFuzzer
endif

SOAK_TESTS = 'ModelTests|SchedulesTests|StormTests|ExitTests|LargeTransferTests|TortureTests|EncryptedCacheTests|FaultyWalkTests|JSONCodingTests|KillTests|InterleavingTests|(OutboxCondition|FileRecordStore|OutboxReentrancy|SQLiteOutbox|LiveFault|CookieOwner|Failure|FaultyRun)Tests'

## Programs

# Runs an interactive browser of a REST API. Without a terminal, the browser plays a script and checks the results.
.PHONY: demo
demo: export SWIFT_BACKTRACE = interactive=no
demo:
	swift run $(BUILD) -c $(MODE) GitHubBrowser $(ARGUMENTS)
MODE ?= debug

# Runs the interactive browser of a REST API with an inspector, and shows the address of its page.
.PHONY: inspect
inspect:
	swift run $(BUILD) -c $(MODE) GitHubBrowser --inspect $(ARGUMENTS)

# Linux only. Runs the same browser in a window. ARGUMENTS=--script plays a script with real clicks and keys on an X server without a
# screen, and checks the results.
.PHONY: desktop
desktop: export SWIFT_BACKTRACE = interactive=no
desktop:
	.ci/screenless install
	swift build $(BUILD) -c $(MODE) --product GitHubDesktop
	$(if $(findstring --script,$(ARGUMENTS)),.ci/screenless) .build/$(MODE)/GitHubDesktop $(ARGUMENTS)

## Measurements

# Measures the core: times and reference loops, allocations, memory, and the targets that are met. FILTER=name selects rows.
.PHONY: bench
bench:
	swift run --package-path Benchmarks -c release Benchmarks $(if $(FILTER),--filter "$(FILTER)")

# Measures the transport, libcurl in C, URLSession and wrk with an nginx that it starts. Linux only; takes about three minutes.
.PHONY: bench-transport
bench-transport:
	Benchmarks/transport $(if $(FILTER),--filter "$(FILTER)")

# Measures what retries add to the requests of an outage, with an nginx that it starts. Linux only; takes two minutes.
.PHONY: bench-storm
bench-storm:
	Benchmarks/storm

# Measures live data with a server that it starts: 1 000 resources on a stream of 10 000 events a second, and a connection that is lost
# 100 times a minute. Linux only. MINUTES=number sets the time of each part.
.PHONY: bench-live
bench-live:
	MINUTES=$(or $(MINUTES),1) Benchmarks/live

# Measures caches, plain files and SQLite in C. FULL=1 also writes 7 GB.
.PHONY: bench-cache
bench-cache:
	swift run $(TRAITS) --package-path Benchmarks -c release CacheBenchmarks $(if $(FULL),--full)

# Writes the tables of bench, bench-count and bench-transport into Documentation/Performance.md.
.PHONY: bench-note
bench-note:
	swift run --package-path Benchmarks -c release Benchmarks --markdown Documentation/Performance.md
	Benchmarks/count --markdown Documentation/Performance.md
	Benchmarks/transport --markdown Documentation/Performance.md
