import Foundation
import HTTPRules
import SiestaCore
import TestKit
import Testing

@testable import SiestaTransfers

/// The meaning of headers about ranges and versions.
@Suite(.timeLimit(.test))
struct DownloadStepTests {
    @Test(
        arguments: [
            ("bytes 0-0/1", [0, 0, 1]), ("bytes 500-999/1000", [500, 999, 1000]), ("BYTES 1-2/9", [1, 2, 9]),
            ("bytes 2-1/9", nil), ("bytes 0-9/9", nil), ("bytes 0-9/*", nil), ("bytes */9", nil), ("bytes=0-1/9", nil),
            ("bytes 0-1", nil), ("bytes -1-2/9", nil), ("bytes 0 - 1/9", nil), ("bytes 0/1-9", nil), ("", nil),
            ("bytes 99999999999999999999-1/9", nil), ("pages 0-1/9", nil), ("bytes +0-1/9", nil), ("bytes 0-1/9 ", nil),
            ("bytes 0-1-2/9", nil),
        ] as [(String, [Int64]?)])
    func `A Content-Range is read, or is none`(_ text: String, _ numbers: [Int64]?) {
        let range = ContentRange(text)
        #expect(range.map { [$0.first, $0.last, $0.total] } == numbers)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Sunday, 06-Nov-94 08:49:37 GMT", nil),
            ("Sun Nov  6 08:49:37 1994", nil), ("Sun, 06 Nov 1994 08:49:37 UTC", nil), ("", nil),
            ("Sun, 06 Nov 1994 24:49:37 GMT", nil), ("Sun, 06 Now 1994 08:49:37 GMT", nil),
        ] as [(String, Double?)])
    func `A date is read, or is none`(_ text: String, _ seconds: Double?) {
        #expect(HTTPDate.date(text)?.timeIntervalSince1970 == seconds)
    }

    private static let url = URL(string: "http://example.com/file?signature=1")

    private static let point: ResumePoint = {
        guard let validator = StrongValidator(HeaderFields(["etag": "\"1\""]), from: url) else { preconditionFailure() }
        return ResumePoint(offset: 10, validator: validator, total: 30)
    }()

    @Test func `The request for the rest names the version`() {
        #expect(Self.point.headers == ["Range": "bytes=10-", "If-Range": "\"1\""])
    }

    @Test(arguments: [
        (200, "whole", "whole"), (201, "refused", "refused"), (202, "refused", "refused"),
        (203, "whole", "whole"), (204, "noContent", "noContent"), (205, "noContent", "noContent"),
        (206, "rest", "contradictory"),
        (304, "refused", "refused"), (404, "refused", "refused"), (416, "startOver", "refused"),
        (500, "refused", "refused"),
    ])
    func `The status decides, with and without a part`(_ status: Int, _ withPart: String, _ without: String) {
        let range = status == 206 ? ["content-range": "bytes 10-29/30"] : [:]
        let fields = HeaderFields(range.merging(["content-length": "20", "etag": "\"1\""]) { $1 })
        #expect(name(DownloadStep.after(status: status, fields, from: Self.url, asked: Self.point)) == withPart)
        #expect(name(DownloadStep.after(status: status, fields, from: Self.url, asked: nil)) == without)
    }

    @Test(arguments: [
        (200, "bytes 10-29/30", "startOver", "contradictory"), (203, "BYTES 0-9/30", "startOver", "contradictory"),
        (200, "items 0-9/30", "whole", "whole"), (226, "", "contradictory", "contradictory"),
        (101, "", "contradictory", "contradictory"),
    ])
    func `A response that no request has asked for is no file`(
        _ status: Int, _ range: String, _ withPart: String, _ without: String
    ) {
        let fields = HeaderFields(["content-range": range, "etag": "\"1\""])
        #expect(name(DownloadStep.after(status: status, fields, from: Self.url, asked: Self.point)) == withPart)
        #expect(name(DownloadStep.after(status: status, fields, from: Self.url, asked: nil)) == without)
    }

    @Test(arguments: [
        ("http://example.com/file?signature=2", "rest"), ("http://example.com/file", "rest"),
        ("http://example.com/other?signature=1", "startOver"), ("http://example.org/file", "startOver"),
    ])
    func `A range from elsewhere is of no use; a query does not make it elsewhere`(_ url: String, _ expected: String) {
        let fields = HeaderFields(["content-range": "bytes 10-29/30", "etag": "\"1\""])
        #expect(name(DownloadStep.after(status: 206, fields, from: URL(string: url), asked: Self.point)) == expected)
    }

    @Test(arguments: [
        ([:], "startOver"), (["etag": "\"1\""], "rest"), (["etag": "\"2\""], "startOver"),
        (["etag": "W/\"1\""], "startOver"), (["etag": "1"], "startOver"), (["etag": ""], "startOver"),
        (["last-modified": "Sun, 06 Nov 1994 08:49:37 GMT"], "startOver"),
    ])
    func `A range that does not name the version of the part is of no use (RFC 9110 §15.3.7)`(
        _ headers: [String: String], _ expected: String
    ) {
        let fields = HeaderFields(headers.merging(["content-range": "bytes 10-29/30"]) { first, _ in first })
        #expect(name(DownloadStep.after(status: 206, fields, from: Self.url, asked: Self.point)) == expected)
    }

    @Test func `A date names a version only where the server has no tags`() throws {
        let date = ["last-modified": "Sun, 06 Nov 1994 08:49:37 GMT", "date": "Sun, 06 Nov 1994 09:49:37 GMT"]
        let validator = try #require(StrongValidator(HeaderFields(date), from: Self.url))
        let point = ResumePoint(offset: 10, validator: validator, total: 30)
        func step(_ headers: [String: String]) -> String {
            let fields = HeaderFields(headers.merging(["content-range": "bytes 10-29/30"]) { first, _ in first })
            return name(DownloadStep.after(status: 206, fields, from: Self.url, asked: point))
        }
        #expect(step(date) == "rest")
        #expect(step(["last-modified": "Sun, 06 Nov 1994 08:49:37 GMT"]) == "rest")
        #expect(step(["date": "Sun, 06 Nov 1994 09:49:37 GMT"]) == "startOver")
        #expect(step(["last-modified": "Mon, 07 Nov 1994 08:49:37 GMT"]) == "startOver")
        #expect(step(date.merging(["etag": "\"1\""]) { first, _ in first }) == "startOver")
    }

    @Test(arguments: [
        "multipart/byteranges; boundary=x", "Multipart/ByteRanges;boundary=\"x\"", " multipart/byteranges",
        "multipart/x-byteranges; boundary=x", "multipart/byteranges",
    ])
    func `Several ranges with their boundaries are never a piece of the file`(_ type: String) {
        let fields = HeaderFields(["content-range": "bytes 10-29/30", "etag": "\"1\"", "content-type": type])
        #expect(name(DownloadStep.after(status: 206, fields, from: Self.url, asked: Self.point)) == "startOver")
        #expect(name(DownloadStep.after(status: 206, fields, from: Self.url, asked: nil)) == "contradictory")
    }

    @Test(arguments: ["21", "9223372036854775807", "x"])
    func `A rest whose length is not that of its range is of no use`(_ length: String) {
        let fields = HeaderFields(["content-range": "bytes 10-29/30", "content-length": length, "etag": "\"1\""])
        #expect(name(DownloadStep.after(status: 206, fields, from: Self.url, asked: Self.point)) == "startOver")
    }

    private func name(_ step: DownloadStep) -> String {
        switch step {
        case .write(let section): section.offset == 0 ? "whole" : "rest"
        case .startOver: "startOver"
        case .refused: "refused"
        case .noContent: "noContent"
        case .contradictory: "contradictory"
        }
    }

    @Test func `A section is complete, a step, or not what was announced`() {
        let rest = DownloadStep.Section(offset: 10, length: 20, total: 40, validator: nil)
        #expect(rest.completes(with: 20) == false)
        #expect(rest.completes(with: 19) == nil)
        let end = DownloadStep.Section(offset: 10, length: 20, total: 30, validator: nil)
        #expect(end.completes(with: 20) == true)
        let unknown = DownloadStep.Section(offset: 0, length: nil, total: nil, validator: nil)
        #expect(unknown.completes(with: 0) == true)
    }
}
