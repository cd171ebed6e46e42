import Foundation

import TestKit
import Testing

import SiestaActivity
@testable import SiestaCore
@testable import SiestaNetworking

@Suite(.timeLimit(.test))
struct PreparedTextTests {
    @Test func `A line has neither secrets of URLs nor control characters`() {
        #expect(PreparedText.line("GET http://u:p@h/a?t=x\n[2J") == #"GET http://h/a?t=…\n[2J"#)
        #expect(PreparedText.words("No\nhttp://u:p@h/a?t=x") == "No http://h/a?t=…")
        #expect(PreparedText.url("/a?t=x\u{1B}#y") == "/a?t=…#…")
        #expect(PreparedText.url(URL(string: "http://u:p@h/a?t=x")) == "http://h/a?t=…")
    }

    @Test func `A message takes URLs and errors as they are`() {
        #expect(PreparedText.part(URL(fileURLWithPath: "/a")) == "file:///a")
        #expect(PreparedText.part(URL(string: "/a?t=x", relativeTo: nil) as Any) == "/a?t=…")
        #expect(PreparedText.part(12) == "12")
        #expect(PreparedText.part(CancellationError()) == "CancellationError()")
    }

    private enum Size: String, Decodable { case small }
    private struct Item: Decodable { let sizes: [String: [Size]] }

    @Test(arguments: [
        (#"{"sizes": {"s3cret": ["small", "s3cret"]}}"#, "DecodingError.dataCorrupted at sizes.*.1"),
        (#"{"sizes": {"s3cret": [1]}}"#, "DecodingError.typeMismatch: no String at sizes.*.0"),
        (#"{"s3cret": 1}"#, "DecodingError.keyNotFound: no sizes at the top level"),
        (#"{"sizes": null}"#, "DecodingError.valueNotFound"),
        (#"s3cret"#, "DecodingError.dataCorrupted at the top level"),
    ])
    func `An error of a decoder says where, and quotes no body`(body: String, text: String) throws {
        let error = try #require(throws: (any Error).self) {
            try JSONDecoder().decode(Item.self, from: Data(body.utf8))
        }
        #expect(PreparedText.error(error).hasPrefix(text), "\(PreparedText.error(error))")
        #expect(!PreparedText.error(error).contains("s3cret"))
    }

    private struct Wrapper: Error { let inner: any Error, place = 1 }

    private enum Outer: Error { case one(any Error), two(String, inner: any Error), none }

    @Test func `An error inside of another is prepared as if it were alone`() throws {
        let inner = try #require(throws: (any Error).self) {
            try JSONDecoder().decode([String: Int].self, from: Data(#"{"s3cret": "s3cret"}"#.utf8))
        }
        let text = "DecodingError.typeMismatch: no Int at *"
        #expect(PreparedText.error(Wrapper(inner: inner)) == "Wrapper(inner: \(text), place: 1)")
        #expect(PreparedText.error(Outer.one(Wrapper(inner: inner))) == "one(Wrapper(inner: \(text), place: 1))")
        #expect(PreparedText.error(Outer.two("a", inner: inner)) == "two(a, inner: \(text))")
        #expect(PreparedText.error(Outer.none) == "none")
        let outer = CocoaError(.fileReadUnknown, userInfo: [NSUnderlyingErrorKey: inner])
        #expect(PreparedText.error(outer).hasSuffix(text))
    }

    @Test func `Errors inside of errors are shown to a depth`() {
        let deep = (0..<1000).reduce(CancellationError() as any Error) { inner, _ in Wrapper(inner: inner) }
        #expect(PreparedText.error(deep).utf8.count < 300)
    }

    @Test func `An error of a JSON parser says where, and quotes no body`() throws {
        let bodies = [
            #"{"a": s3cret}"#, "[123456789012345678901234567890e99999999]", #"{"a": "\us3cr"}"#, "[\n1, s3cret",
        ]
        for body in bodies {
            let error = try #require(throws: (any Error).self) {
                try JSONSerialization.jsonObject(with: Data(body.utf8))
            }
            let text = PreparedText.error(error)
            #expect(text.hasPrefix("NSCocoaErrorDomain 3840"))
            #expect(!text.contains("s3cr"))
            #expect(!text.contains("123456789"))
        }
    }

    @Test func `An error of Foundation does not quote the URL that it carries`() {
        let url = "http://u:s3cret@h/a?t=s3cret#s3cret"
        let details: [String: Any] = [
            "NSErrorFailingURLStringKey": url, "NSErrorFailingURLKey": URL(string: url) as Any,
            NSLocalizedDescriptionKey: "No way to \(url)\nfor \u{202E}you",
        ]
        for error in [URLError(.timedOut, userInfo: details), NSError(domain: "D", code: 1, userInfo: details)]
            as [any Error]
        {
            let text = PreparedText.error(error)
            #expect(text.hasSuffix(#": No way to http://h/a?t=…#…\nfor \u{202E}you"#), "\(text)")
        }
        let cancelled = RequestError.Cause.RequestCancelled(networkError: URLError(.cancelled, userInfo: details))
        #expect(!"\(cancelled)".contains("s3cret"))
    }

    @Test func `A value that cannot be encoded is not quoted`() throws {
        let error = try #require(throws: (any Error).self) { try JSONEncoder().encode(["s3cret": Double.nan]) }
        #expect(PreparedText.error(error) == "EncodingError.invalidValue at *")
    }
}
