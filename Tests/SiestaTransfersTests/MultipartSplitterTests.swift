import Foundation
import SiestaCore
import TestDoubles
import TestKit
import Testing

@testable import SiestaTransfers

/// The division of multipart bodies into parts.
@Suite(.timeLimit(.test))
struct MultipartSplitterTests {
    private typealias Reason = MultipartSplitter.Reason

    /// Returns the parts in a short form: `type|body`, and the defect, if any.
    private static func parts(
        _ text: String, boundary: String = "b", pieces size: Int = .max, _ limits: MultipartLimits = MultipartLimits()
    ) -> (parts: [String], defect: MultipartSplitter.Reason?) {
        let bytes = Data(text.utf8)
        var parts: [ResponsePart] = []
        do throws(MultipartSplitter.Reason) {
            var splitter = try MultipartSplitter(
                contentType: "multipart/mixed; boundary=\"\(boundary)\"", limits: limits)
            for start in stride(from: 0, to: bytes.count, by: size) {
                try splitter.add(bytes[start..<min(start &+ size, bytes.count)], completing: &parts)
            }
            try splitter.finish(completing: &parts)
        } catch {
            return (short(parts), error)
        }
        return (short(parts), nil)
    }

    private static func short(_ parts: [ResponsePart]) -> [String] {
        parts.map { ($0.headers["content-type"] ?? "") + "|" + String(decoding: $0.body, as: UTF8.self) }
    }

    @Test(arguments: [
        ("--b\r\n\r\none\r\n--b\r\nContent-Type: a/b\r\n\r\ntwo\r\n--b--\r\n", ["|one", "a/b|two"]),
        ("pre\r\namble\r\n--b\r\n\r\nx\r\n--b--\r\nepi\r\n--b\r\nlogue", ["|x"]), ("--b\r\n\r\n\r\n--b--", ["|"]),
        ("--b\r\n\r\na\r\n\r\n--b--", ["|a\r\n"]), ("--b \t\r\n\r\na\r\n--b-- \t", ["|a"]),
        ("--b\n\na\nb\n--b--\n", ["|a\nb"]),
        ("--b\r\n\r\n--bb\r\n-b\r\n --b\r\n--b-\r\n--b--", ["|--bb\r\n-b\r\n --b\r\n--b-"]),
        ("--b\r\n\r\na--b\r\n--b--", ["|a--b"]), ("--b--", []), ("--b\r\nA: 1\r\n\r\n\r\r\n--b--", ["|\r"]),
    ])
    func `Delimiters are whole lines, and their line ends are not content, however the bytes are cut`(
        _ text: String, _ parts: [String]
    ) {
        for size in 1...text.utf8.count {
            let result = Self.parts(text, pieces: size)
            #expect(result.parts.map { Array($0.utf8) } == parts.map { Array($0.utf8) })
            #expect(result.defect == nil)
        }
    }

    @Test func `A part may be multipart, even if its boundary begins with the outer boundary`() throws {
        let inner = "--b2\r\nContent-Type: text/a\r\n\r\n1\r\n--b2\r\n\r\n2\r\n--b2--\r\n"
        let text = "--b\r\nContent-Type: multipart/mixed; boundary=b2\r\n\r\n\(inner)\r\n--b\r\n\r\n3\r\n--b--"
        var splitter = try MultipartSplitter(contentType: "multipart/related; Boundary=b", limits: MultipartLimits())
        var parts: [ResponsePart] = []
        try splitter.add(Data(text.utf8), completing: &parts)
        try splitter.finish(completing: &parts)
        #expect(parts.count == 2)
        #expect(Self.short(try parts[0].parts()) == ["text/a|1", "|2"])
        let error = #expect(throws: RequestError.self) { try parts[1].parts() }
        #expect(error?.code == .invalidContent)
        #expect("\(error as Any)".contains("text/plain; charset=us-ascii is not multipart"))
    }

    @Test func `Headers are unfolded, joined and found in any case`() throws {
        let head = "X-A: 1\r\nContent-Type: text/plain;\r\n  charset=utf-8\r\nx-a:2  \r\nX-Empty:\r\n"
        var splitter = try MultipartSplitter(contentType: "multipart/mixed; boundary=b", limits: MultipartLimits())
        var parts: [ResponsePart] = []
        try splitter.add(Data("--b\r\n\(head)\r\n\r\n--b--".utf8), completing: &parts)
        try splitter.finish(completing: &parts)
        #expect(parts.first?.headers == ["x-a": "1, 2", "content-type": "text/plain; charset=utf-8", "x-empty": ""])
        #expect(parts.first?.headers["content-type"] == "text/plain; charset=utf-8")
        #expect(ResponsePart(body: Data()).contentType == "text/plain; charset=us-ascii")
    }

    @Test(
        arguments: [
            ("", .truncated, []), ("--b\r\n\r\na", .truncated, []), ("--b\r\n\r\na\r\n--b", .truncated, []),
            ("--b\r\n\r\na\r\n--b\r\n\r\nb\r\n--c--", .truncated, ["|a"]),
            ("--b\r\nno header\r\n\r\n", .malformedHeader, []),
            ("--b\r\n: x\r\n\r\n", .malformedHeader, []), ("--b\r\nA: \u{1}\r\n\r\n", .malformedHeader, []),
            ("--b\r\n\r\na\r\n--b\r\n folded\r\n", .malformedHeader, ["|a"]),
        ] as [(String, MultipartSplitter.Reason, [String])])
    func `A malformed body is an error after its complete parts`(
        _ text: String, _ reason: MultipartSplitter.Reason, _ parts: [String]
    ) {
        let result = Self.parts(text)
        #expect(result.defect == reason)
        #expect(result.parts == parts)
    }

    @Test(
        arguments: [
            ("text/plain; boundary=b", .notMultipart(contentType: "text/plain; boundary=b")),
            ("multipart/mixed", .missingBoundary), ("multipart/mixed; boundary=", .missingBoundary),
            ("multipart/mixed; boundary=\"a \"", .missingBoundary), ("multipart/mixed; boundary=a@b", .missingBoundary),
            ("multipart/mixed; boundary=\(String(repeating: "a", count: 71))", .missingBoundary),
        ] as [(String, MultipartSplitter.Reason)])
    func `The content type must have a legal boundary`(
        _ type: String, _ reason: MultipartSplitter.Reason
    ) {
        #expect(throws: reason) { try MultipartSplitter(contentType: type, limits: MultipartLimits()) }
    }

    @Test func `Sizes and numbers are limited`() {
        var limits = MultipartLimits()
        limits.maximumPartSize = 3
        #expect(Self.parts("--b\r\n\r\nabc\r\n--b--", pieces: 1, limits).parts == ["|abc"])
        #expect(Self.parts("--b\r\n\r\nabcd\r\n--b--", pieces: 1, limits).defect == .partTooLong(limit: 3))
        let long = String(repeating: "x", count: 1000)
        #expect(Self.parts("--b\r\n\r\n\(long)", pieces: 1, limits).defect == .partTooLong(limit: 3))
        #expect(Self.parts(long, pieces: 1, limits).defect == .partTooLong(limit: 3))
        #expect(Self.parts("--b--\r\n\(long)", pieces: 1, limits).defect == nil)
        limits = MultipartLimits()
        limits.maximumHeaderSize = 10
        #expect(Self.parts("--b\r\nA: 12345\r\n\r\n\r\n--b--", limits).defect == nil)
        #expect(Self.parts("--b\r\nA: 12345\r\nB: 1\r\n\r\n\r\n--b--", limits).defect == .headersTooLong(limit: 10))
        #expect(Self.parts("--b\r\nA: \(long)", pieces: 1, limits).defect == .headersTooLong(limit: 10))
        limits = MultipartLimits()
        limits.maximumPartCount = 1
        #expect(Self.parts("--b\r\n\r\na\r\n--b--", limits).defect == nil)
        let two = Self.parts("--b\r\n\r\na\r\n--b\r\n\r\nb\r\n--b--", limits)
        #expect(two.defect == .tooManyParts(limit: 1))
        #expect(two.parts == ["|a"])
    }

    @Test func `Pieces of one byte and many lines take no quadratic time`() {
        let growth = Growth(of: 10_000) {
            Data("--b\r\n\r\n".utf8) + Data(repeating: 0x0A, count: $0)
        } _: { bytes in
            var splitter = try? MultipartSplitter(contentType: "multipart/mixed; boundary=b", limits: MultipartLimits())
            var parts: [ResponsePart] = []
            for index in bytes.indices { try? splitter?.add(bytes[index...index], completing: &parts) }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Many headers of one name take no quadratic time`() {
        var limits = MultipartLimits()
        limits.maximumHeaderSize = 16 << 20
        let growth = Growth(of: 10_000) { count in
            // The first value is long, so that each copy of the joined values takes longer than reading a line.
            let first = "a: " + String(repeating: "x", count: count * 100)
            return Data("--b\n\(first)\n\(String(repeating: "a:\n", count: count))\n--b--".utf8)
        } _: { bytes in
            var splitter = try? MultipartSplitter(contentType: "multipart/mixed; boundary=b", limits: limits)
            var parts: [ResponsePart] = []
            try? splitter?.add(bytes, completing: &parts)
            try? splitter?.finish(completing: &parts)
            #expect(parts.count == 1)
        }
        #expect(growth.isBounded, "\(growth)")
    }
}
