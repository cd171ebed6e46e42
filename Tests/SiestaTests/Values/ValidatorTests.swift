import Foundation

import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaCaches
@testable import SiestaCore
@testable import SiestaNetworking
@testable import SiestaTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The validators that are sent back.
@MainActor @Suite(.timeLimit(.test))
struct ValidatorTests {
    private nonisolated static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private func sent(_ headers: [String: String]) -> [String: String] {
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        Validator(field: { headers[$0] })?.add(to: &request)
        return request.allHTTPHeaderFields ?? [:]
    }

    @Test(arguments: [
        #""abc""#, #""""#, #"W/"abc""#, "unquoted", #""a, b""#, #""ü""#, #""a b""#, "W/abc",
        "\"\(String(repeating: "x", count: 1022))\"",
    ])
    func `An entity tag is sent back as it came`(tag: String) {
        #expect(sent(["etag": tag, "last-modified": Self.date]) == ["If-None-Match": tag])
    }

    @Test(arguments: [
        "\u{1}", "\"a\u{1}b\"", "\"a\r\nX: y\"", "\"a\tb\"", "\u{7F}", "\"a\0\"", "", " ", "*", "W/", "\"", "a, b",
        #""a", "b""#, #""a""b""#, #"a""#, "\"\(String(repeating: "x", count: 1023))\"",
    ])
    func `What is not one entity tag, or cannot be sent back, is ignored: the date is used if there is one`(tag: String)
    {
        #expect(sent(["etag": tag]) == [:])
        #expect(sent(["etag": tag, "last-modified": Self.date]) == ["If-Modified-Since": Self.date])
    }

    @Test(arguments: ["\u{1}", "\(date)\r\nX: y", "", String(repeating: "x", count: 1025)])
    func `A date that cannot be sent back is ignored`(date: String) {
        #expect(sent(["last-modified": date]) == [:])
    }

    @Test func `A server's unusable validator lets later loads succeed, without a condition`() async throws {
        let stub = StubbedResource()
        for header in ["ETag", "Last-Modified"] {
            await stub.load(.text("hello", headers: [header: "a\u{1}b"]))
            await stub.load(.text("again"))
            #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == nil)
            #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-Modified-Since") == nil)
            #expect(stub.resource.text == "again")
        }
    }

    @Test func `The unusable validator of a stored entity is ignored, too`() {
        let stored = CacheRecord(
            address: "https://api.test", coding: "data", timestamp: 0, headers: ["etag": "\"a\u{1}\""], content: Data())
        #expect(stored.validator == nil)
    }

    @Test func `A download is not resumed with a validator that cannot be sent back`() {
        let long = "\"\(String(repeating: "x", count: 2000))\""
        #expect(StrongValidator(HeaderFields(["ETag": long]), from: nil) == nil)
        #expect(StrongValidator(HeaderFields(["ETag": "\"a\u{1}\""]), from: nil) == nil)
        #expect(StrongValidator(HeaderFields(["ETag": "\"a\""]), from: nil) != nil)
    }
}
