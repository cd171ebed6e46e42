# What is needed beyond the Swift toolchain: make.
# Tests that crash on purpose wait for the backtracer otherwise, which may never end when several crash at once.
export SWIFT_BACKTRACE = enable=no

.PHONY: demo test test-release test-thread lint bench bench-count bench-note

# An interactive browser of a REST API. Without a terminal it plays a script and checks itself.
demo: export SWIFT_BACKTRACE = interactive=no
demo:
	swift run --package-path Examples -c release github-browser $(ARGUMENTS)

# Everything that has to hold before a change is done.
test: lint
	swift build --build-tests
	swift test --skip-build
	swift test --package-path Examples

test-release:
	swift test -c release -Xswiftc -enable-testing

test-thread:
	swift test --sanitize=thread --scratch-path .build/thread

# What the core costs: time beside reference loops, allocations, memory, and whether the targets are met. FILTER=name chooses rows.
bench:
	swift run --package-path Benchmarks -c release Benchmarks $(if $(FILTER),--filter "$(FILTER)")

# Instructions and allocations of each operation, which must not exceed Benchmarks/thresholds.json. Needs Linux and valgrind.
bench-count:
	Benchmarks/count --check $(if $(FILTER),--filter "$(FILTER)")

# Writes the figures of both into the note about them.
bench-note:
	swift run --package-path Benchmarks -c release Benchmarks --markdown Documentation/Performance.md
	Benchmarks/count --markdown Documentation/Performance.md

lint:
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Snippets Examples/Package.swift Examples/Sources Examples/Tests \
		Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests
	.ci/layers
