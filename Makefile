# Beyond the Swift toolchain, only make is needed. Modules that use a library of the system are built and tested only if its headers are
# installed: those of SQLite (libsqlite3-dev), of OpenSSL 3 (libssl-dev) and of GTK 4.8 (libgtk-4-dev).
has = $(shell echo '\#include <$(1)>' | clang -E -x c - >/dev/null 2>&1 && echo yes)
# The headers of GTK include those of 15 other packages. Only pkg-config knows the folders of them all, and SwiftPM asks it, too.
has-gtk = $(shell pkg-config --exists 'gtk4 >= 4.8' 2>/dev/null && echo yes)
WITH := $(if $(call has,sqlite3.h),SQLite) $(if $(call has,openssl/core.h),Encryption) $(if $(call has-gtk),GTK)
WITHOUT := $(filter-out $(WITH),SQLite Encryption GTK)
space := $() $()
comma := ,
TRAITS = $(if $(strip $(WITH)),--traits $(subst $(space),$(comma),$(strip $(WITH))))
EXAMPLES = --package-path Examples $(if $(call has-gtk),--traits GTK)
# Some tests crash on purpose. With a backtracer they would wait for it, and it may never end if several processes crash at once.
export SWIFT_BACKTRACE = enable=no
# SwiftPM passes the traits to the compiler in the order of a set. If another run had another order, everything would be built again.
export SWIFT_DETERMINISTIC_HASHING = 1
# The tests themselves have random hashes, as apps have.
TEST = env -u SWIFT_DETERMINISTIC_HASHING swift test
# Tests wait for sockets and time-outs. On a small machine, hundreds of them at once would not get enough processor time.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH = 4

.PHONY: demo demo-replay inspect inspector-test desktop quickstart docs test test-foundation test-linked test-release test-thread soak fuzz lint interface desktop-test desktop-checks cache-differential har bench bench-cache bench-count bench-transport bench-storm bench-note

# Runs an interactive browser of a REST API. Without a terminal, the browser plays a script and checks the results.
demo: export SWIFT_BACKTRACE = interactive=no
demo:
	swift run $(EXAMPLES) -c $(MODE) github-browser $(ARGUMENTS)
MODE ?= release

# Runs the interactive browser of a REST API with an inspector, and shows the address of its page.
inspect:
	swift run $(EXAMPLES) -c $(MODE) github-browser --inspect $(ARGUMENTS)

# Linux only. Checks the page of the inspector in a browser without a screen. UPDATE=1 writes the screenshots.
inspector-test:
	.ci/inspector $(TRAITS)

# Plays the script of the browser, records it, and plays it again from the recording, without a server.
demo-replay: export SWIFT_BACKTRACE = interactive=no
demo-replay:
	swift build $(EXAMPLES) -c $(MODE) --product github-browser
	browser="$$(swift build $(EXAMPLES) -c $(MODE) --show-bin-path)/github-browser"; \
	folder="$$(mktemp -d)"; trap 'rm -rf "$$folder"' EXIT; \
	"$$browser" --script --record "$$folder" </dev/null && "$$browser" --script --replay "$$folder" </dev/null

# Linux only. Runs the same browser in a window. ARGUMENTS=--script plays a script with real clicks and keys on an X server without a
# screen, and checks the results.
desktop: export SWIFT_BACKTRACE = interactive=no
desktop:
	.ci/desktop-app $(MODE) $(ARGUMENTS)

# Runs the first program of the README with a server of the examples.
quickstart:
	.ci/quickstart "$(EXAMPLES)" $(TRAITS)

# The checks that must pass before a change is complete.
test: lint
	$(if $(WITHOUT),@echo "Not built because headers are missing: $(WITHOUT:%=Siesta%).")
	swift build $(TRAITS) --build-tests
	$(TEST) $(TRAITS) --skip-build
	.ci/isolation $(TRAITS)
	.ci/servers $(TRAITS)
	swift build $(EXAMPLES) --build-tests
	$(TEST) $(EXAMPLES) --skip-build

# Linux only. Runs the tests of JSON and of what is decoded again, but Foundation does all the work.
test-foundation: export SIESTA_FOUNDATION_JSON = 1
test-foundation:
	swift build $(TRAITS) --build-tests
	$(TEST) $(TRAITS) --skip-build --filter 'JSON|Cod(ing|able)|Decod|Encod|Format|Problem|Typed|Pipeline|Transformer'

test-release:
	swift build $(RELEASE) --build-tests
	$(TEST) $(RELEASE) --skip-build

# Linux only. Checks SiestaGTK in real windows of an X server without a screen. Installs what is missing. CHECKS=name selects checks,
# UPDATE=1 writes the reference screenshots. The build is that of `make test-release`.
desktop-test:
	.ci/screenless install
	$(MAKE) --no-print-directory desktop-checks

desktop-checks:
	swift build $(RELEASE) --product gtk-checks
	SWIFT_BACKTRACE=enable=no .ci/screenless "$$(swift build $(RELEASE) --show-bin-path)/gtk-checks" --output "$(CURDIR)/.build/screenshots" \
		$(if $(CHECKS),--filter "$(CHECKS)") $(if $(UPDATE),--update)

# Compares the caching rules with hishel, a cache for Python, which it installs. COUNT=number sets the number of cases, and SEED=number
# the cases.
cache-differential:
	.ci/cache-differential $(TRAITS)

# Records a session, and checks the file with independent readers of HAR files, which it installs.
har:
	.ci/har $(TRAITS)

RELEASE = $(TRAITS) -c release -Xswiftc -enable-testing

# The tests of the transport with a linked libcurl, which needs libcurl and zlib for the linker.
test-linked:
	swift test --traits LinkedCurl --scratch-path .build/linked --filter CurlTransportTests

# In three parts, because all tests in one run would exceed the time limits of tests. Without the search for lock orders: its own
# assertion fails in a third of the runs, in a lock that Foundation takes, and then the sanitizer waits for itself for ever.
test-thread: export TSAN_OPTIONS = detect_deadlocks=0
test-thread:
	swift build $(TRAITS) --build-tests --sanitize=thread --scratch-path .build/thread
	$(TEST) $(TRAITS) --skip-build --sanitize=thread --scratch-path .build/thread --filter $(TRANSPORT_TESTS)
	$(TEST) $(TRAITS) --skip-build --sanitize=thread --scratch-path .build/thread --filter $(STORE_TESTS)
	$(TEST) $(TRAITS) --skip-build --sanitize=thread --scratch-path .build/thread --skip $(TRANSPORT_TESTS) --skip $(STORE_TESTS) \
		--skip $(UNTHREADED_TESTS)

TRANSPORT_TESTS = 'CurlTransportTests|ProviderConformanceTests'
# Where one thread does everything, the sanitizer finds nothing: rules, the growth of times, and samples, whose code other tests run.
UNTHREADED_TESTS = '^(SampleTests|DefaultIsolation.Tests|Swift6ClientTests|HTTPRulesTests)\.|Growth|^JSONCodingTests\.(Hostile|Mutation|Number|Tree|ObjectEncoding)'
STORE_TESTS = 'SiestaSQLiteTests|SiestaEncryptionTests|SiestaTests.*(Cache|Stor|Torture|FullDisk|Persistence|LargeTransfer)'

# The models with all their schedules, the storms of the transport, the transfers of 2 GB, and the torture tests of the caches, with the
# counts that a release must pass. On Linux, also 10^7 mutations of JSON documents, each of which must have the result of Foundation.
soak: export SOAK = 1
soak:
	swift test $(TRAITS) --filter 'ModelTests|SchedulesTests|StormTests|ExitTests|LargeTransferTests|TortureTests|EncryptedCacheTests'
	swift test $(EXAMPLES) --filter FaultyWalkTests
ifeq ($(shell uname),Linux)
	swift build --package-path Fuzzing -c release --product JSONFuzzer
	MUTATIONS=10000000 Fuzzing/.build/release/JSONFuzzer
endif

# Linux only. RUNS=number sets the number of inputs, SECONDS=number ends each fuzzer after this time, SEED=number repeats a run, and
# FUZZERS=name selects one fuzzer.
RUNS ?= 1000000
FUZZERS ?= $(notdir $(wildcard Fuzzing/Sources/*Fuzzer))
fuzz:
	swift build --package-path Fuzzing -c release
	set -e; cd Fuzzing/.build; for fuzzer in $(FUZZERS); do \
		mkdir -p $$fuzzer; echo "$$fuzzer"; \
		release/$$fuzzer -runs=$(RUNS) -max_len=4096 $(if $(SECONDS),-max_total_time=$(SECONDS)) $(if $(SEED),-seed=$(SEED)) $$fuzzer; \
	done

# Measures the core: times and reference loops, allocations, memory, and the targets that are met. FILTER=name selects rows.
bench:
	swift run --package-path Benchmarks -c release Benchmarks $(if $(FILTER),--filter "$(FILTER)")

# Counts instructions and allocations of each operation, and fails if they exceed Benchmarks/thresholds.json. Needs Linux and valgrind.
bench-count:
	Benchmarks/count --check $(if $(FILTER),--filter "$(FILTER)")

# Measures the transport, libcurl in C, URLSession and wrk with an nginx that it starts. Linux only; takes about three minutes.
bench-transport:
	Benchmarks/transport $(if $(FILTER),--filter "$(FILTER)")

# Measures what retries add to the requests of an outage, with an nginx that it starts. Linux only; takes two minutes.
bench-storm:
	Benchmarks/storm

# Measures caches, plain files and SQLite in C. FULL=1 also writes 7 GB.
bench-cache:
	swift run $(TRAITS) --package-path Benchmarks -c release CacheBenchmarks $(if $(FULL),--full)

# Writes the tables of bench, bench-count and bench-transport into Documentation/Performance.md.
bench-note:
	swift run --package-path Benchmarks -c release Benchmarks --markdown Documentation/Performance.md
	Benchmarks/count --markdown Documentation/Performance.md
	Benchmarks/transport --markdown Documentation/Performance.md

lint:
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Snippets Examples/Package.swift Examples/Sources Examples/Tests \
		Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests \
		PlatformCheck/Package.swift PlatformCheck/Tests $(filter-out %/CCurl,$(wildcard PlatformCheck/Sources/*)) \
		Fuzzing/Package.swift Fuzzing/Sources/FuzzDriver $(wildcard Fuzzing/Sources/*Fuzzer)
	.ci/layers
	.ci/names
	.ci/test-names
	.ci/snippets

# Compares the public interface with Documentation/Interface.txt. `make interface UPDATE=update` writes this file.
interface:
	.ci/interface $(UPDATE) $(TRAITS)

# Writes static HTML to .build/docs/html. Fails at a warning, or if less than 97 % of the public declarations are documented.
docs:
	.ci/docs $(TRAITS)
