import Foundation
import Measuring

// What caches cost beside plain files, in a folder that goes at the end.
//
//   CacheBenchmarks           1 000 entities of 1 KB and of 64 KB, seven times each, and 100 000 of 1 KB
//   CacheBenchmarks --full    also 100 000 of 64 KB, which takes 7 GB
//   CacheBenchmarks SQL       only subjects with such names
var sizes = [(1000, 1 << 10), (1000, 64 << 10), (100_000, 1 << 10)]
if CommandLine.arguments.contains("--full") { sizes.append((100_000, 64 << 10)) }

let filters = CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("--") }

let table = Table([
    .text("entities", 16), .text("subject", 25), .number("write", 12), .number("with flush", 12),
    .number("one read", 10), .number("warm 1 000", 11), .number("on disk", 10),
])

@MainActor
func run() async throws {
    show(table.head)
    for (count, bytes) in sizes {
        let subjects = Subject.allCases.filter { subject in
            subject.isFit(for: count * bytes) && filters.allSatisfy(subject.rawValue.contains)
        }
        // What takes milliseconds is repeated, in turns, so that what else the machine does hits all of them.
        let turns = count > 1000 ? 1 : 7
        var figures: [Subject: [Figure]] = [:]
        for turn in 1...turns {
            for subject in subjects {
                let work = try Workload(count: count, bytes: bytes)
                defer { work.removeFolder() }
                figures[subject, default: []].append(try await subject.measure(work))
                guard turn == turns, let figure = Figure(medianOf: figures[subject] ?? []) else { continue }
                show(table.line([work.name, subject.rawValue] + figure.cells(count)))
            }
        }
    }
}

try await run()

/// Prints at once, also into a pipe.
func show(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
}
