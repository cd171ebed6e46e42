import Foundation
import TestDoubles
import TestKit
import Testing

/// Checks in the sources that text leaves the library in one place, and that URLs become text in one place.
@Suite(.enabled(if: TestLevel.current >= .nightly, "the search takes seconds"), .timeLimit(.test))
struct TextExitsTests {
    private struct Line: CustomStringConvertible {
        let file: String
        let text: String
        var description: String { "\(file): \(text.trimmingCharacters(in: .whitespaces))" }
    }

    /// All lines of code, without comments.
    private static let lines: [Line] = {
        let sources = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?.allObjects ?? []
        return files.compactMap { $0 as? URL }
            .filter { ["swift", "c", "h"].contains($0.pathExtension) && !$0.path.contains(".docc/") }
            .flatMap { file in
                ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n")
                    .map { Line(file: file.lastPathComponent, text: Self.code(String($0))) }
            }
    }()

    private static func code(_ line: String) -> String {
        let comment = line.hasPrefix("//") ? line.startIndex..<line.endIndex : line.range(of: " //")
        return comment.map { String(line[..<$0.lowerBound]) } ?? line
    }

    private func lines(with pattern: Regex<some Any>, except files: Set<String> = []) -> [Line] {
        Self.lines.filter { $0.text.contains(pattern) && !files.contains($0.file) }
    }

    @Test func `The sources are found`() {
        #expect(Self.lines.count > 10_000)
        #expect(lines(with: #/SiestaLog\.log\(/#).count > 20)
    }

    @Test func `Nothing but the log writes to standard output, standard error or the system's log`() {
        let functions =
            #/(^|[^.\w])(print|debugPrint|dump|puts|putchar|fputs|f?printf|vfprintf|perror|NSLog|os_log|syslog)\(/#
        let descriptors = #/FileHandle\.standard|\b(stderr|stdout|STDERR_FILENO|STDOUT_FILENO)\b|\bLogger\(/#
        #expect(lines(with: functions).isEmpty)
        #expect(lines(with: descriptors, except: ["StandardError.swift"]).isEmpty)
        // The two files besides the log write only texts of the library itself.
        let exits: Set = ["SiestaLog.swift", "MainQueue+Checking.swift", "TestClock.swift"]
        #expect(lines(with: #/StandardError\.write\(|messageHandler\(/#, except: exits).isEmpty)
    }

    @Test func `No URL becomes a part of a text without being prepared`() {
        let interpolated = lines(with: #/\\\([^"]*(absoluteString|\b[uU]rl\b|requestURL|\baddress\b)/#)
            .filter { !$0.text.contains(#/(PreparedText|TransportText|URLText\(\))[.(]/#) }
        #expect(interpolated.isEmpty)
        let logged = lines(with: #/\b(SiestaLog\.)?(log|emit|noteFailure)\(.*(absoluteString|\baddress\b)/#)
            .filter { !$0.text.contains("PreparedText.") }
        #expect(logged.isEmpty)
    }

    @Test func `Text becomes a URL in one place`() {
        // These files have text that is escaped, or constants. JSON is decoded as by Foundation.
        let others: Set = [
            "Resource.swift", "Service.swift", "EventReader.swift", "Inspector.swift", "Outbox.Address.swift",
            "OutboxRules+Deciding.swift", "Document+Values.swift",
        ]
        let made = lines(with: #/\bURL\(string:/#, except: others.union(["URLReference.swift"]))
            .filter { !$0.file.hasPrefix("ProviderConformance") }
        #expect(made.isEmpty)
    }

    /// An error without its own description would show its fields unprepared. Errors that are not public reach apps, too.
    @Test func `Every error describes itself, unless it has no text to show`() throws {
        let plain = lines(with: #/(public|package) struct \w+: (\w+, )*(Error|LocalizedError)\b/#).map(\.text)
        #expect(plain.count > 10)
        let described = Self.lines.map(\.text).filter { $0.contains("CustomStringConvertible") }
            .joined(separator: "\n")
        let withoutText: Set<String> = [
            "InvalidJSONObject", "NoLocalDataFor304", "UndecodableText", "UnparsableImage",
            "JSONResponseIsNotDictionaryOrArray", "WrongInputTypeInTranformerPipeline", "TransformerReturnedNil",
            "Unavailable", "UnexpectedContent", "OutboxInUse", "Overflow",
        ]
        for line in plain {
            let name = try #require(line.firstMatch(of: #/struct (\w+):/#)?.1)
            let isDescribed = withoutText.contains(String(name)) || described.contains("\(name):")
            #expect(isDescribed, "\(name) has no description of its own")
        }
    }
}
