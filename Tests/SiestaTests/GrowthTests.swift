import Foundation
import HTTPRules

import TestKit
import Testing

@testable import SiestaCaches
@testable import SiestaCore
@testable import SiestaTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if os(Linux)
@testable import CurlTransport
#endif

/// Work whose amount a server, a cache file or the app's input determines. Its time must not grow faster than the
/// amount.
@Suite(.timeLimit(.model))
struct GrowthTests {
    /// One kind of work, and its initial amount.
    struct Work: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let growth: @Sendable () throws -> Growth

        init<Input>(
            _ name: String, of amount: Int, _ make: @escaping @Sendable (Int) throws -> Input,
            _ work: @escaping @Sendable (Input) throws -> Void
        ) {
            testDescription = name
            growth = { try Growth(of: amount, make, work) }
        }
    }

    @Test(arguments: works)
    func `Four times the input costs about four times the work`(work: Work) throws {
        let growth = try work.growth()
        #expect(growth.isBounded, "\(growth)")
    }

    private static let works = headers + bodies + addresses + texts

    private static let headers: [Work] = [
        Work("parameters of a content type", of: TestLevel.count(2_500, nightly: 10_000)) {
            "text/plain" + String(repeating: "; a=\"b\\\";c\"", count: $0)
        } _: {
            #expect(MediaType.parameter("charset", of: $0) == nil)
        },
        Work("a parameter without an end", of: TestLevel.count(12_500, nightly: 50_000)) {
            "text/plain; charset=\"" + String(repeating: "\\\"", count: $0)
        } _: {
            _ = MediaType.parameter("charset", of: $0)
        },
        Work("spaces around a content type", of: TestLevel.count(12_500, nightly: 50_000)) {
            String(repeating: " ", count: $0) + "a" + String(repeating: " ", count: $0) + ";"
        } _: {
            #expect(MediaType.essence(of: $0) == "a")
        },
        Work("a content type under a pattern with stars", of: 20_000) {
            String(repeating: "a", count: $0) + "/" + String(repeating: "ab", count: $0)
        } _: {
            #expect(!ContentTypePattern("*a*a*a*a*/*a*a*a*a*c").matches($0))
        },
        Work("members of Vary", of: TestLevel.count(1_250, nightly: 5_000)) {
            (0..<$0).map { "X-Member-\($0)" }.joined(separator: " ,\t")
        } _: {
            _ = SelectingHeaders.variant(namedBy: $0, in: ["X-Member-1": "a", "b": "c"], of: "", at: "")
        },
        Work("members of Vary that are empty", of: TestLevel.count(12_500, nightly: 50_000)) {
            String(repeating: ", ", count: $0)
        } _: {
            _ = SelectingHeaders.variant(namedBy: $0, in: ["a": "b"], of: "", at: "")
        },
        Work("a date", of: TestLevel.count(5_000, nightly: 20_000)) {
            String(repeating: "Sun, ", count: $0)
        } _: {
            #expect(HTTPDate.date($0) == nil)
        },
        Work("the name of a charset", of: 20_000) {
            String(repeating: " \"", count: $0) + "utf-8"
        } _: {
            _ = Charset(ianaName: $0)
        },
        Work("headers of a record, written and read", of: TestLevel.count(750, nightly: 3_000)) { count in
            CacheRecord(
                address: "a", coding: "b", timestamp: 0,
                headers: Dictionary(uniqueKeysWithValues: (0..<count).map { ("x-\($0)", "value") }), content: Data())
        } _: {
            let read = try CacheRecord(encoded: $0.encoded())
            #expect(read == $0)
            #expect(CacheRecord.kept($0.headers).count == $0.headers.count)
        },
    ]

    private static let bodies: [Work] = [
        Work("lines in one piece", of: 20_000) {
            Data(String(repeating: "a\r\n", count: $0).utf8)
        } _: { piece in
            var splitter = LineSplitter(limit: 100)
            splitter.add(piece)
            while case .line = splitter.next() {}
        },
        Work("a line in small pieces", of: 10_000) {
            $0
        } _: { count in
            var splitter = LineSplitter(limit: .max)
            for _ in 0..<count {
                splitter.add(Data("a".utf8))
                #expect(splitter.next() == .more)
            }
        },
        Work("parts of a form", of: 1000) { count in
            var form = MultipartForm()
            for index in 0..<count {
                form.append("text", name: "name \"\(index)\"", headers: ["X": "y"])
            }
            return form
        } _: {
            _ = try $0.encoded()
        },
        Work("the name of a part", of: TestLevel.count(5_000, nightly: 20_000)) { count in
            var form = MultipartForm()
            form.append(
                Data(), name: String(repeating: "\r\"", count: count), fileName: String(repeating: "\n", count: count))
            return form
        } _: {
            _ = try $0.encoded()
        },
    ]

    private static let addresses: [Work] = [
        Work("an address under a pattern with stars", of: TestLevel.count(5_000, nightly: 20_000)) {
            "http://a.test/" + String(repeating: "a/", count: $0) + "b"
        } _: {
            #expect(!URLWildcard("**a**a**a*a*a**/c", relativeTo: "http://a.test/").matches($0))
        },
        Work("a pattern of stars", of: TestLevel.count(1_250, nightly: 5_000)) {
            String(repeating: "**a?*/", count: $0)
        } _: {
            #expect(!URLWildcard($0, relativeTo: "http://a.test/").matches("http://a.test/aaaaaaaaaaaaaaaa/b"))
        },
        Work("a template and its values", of: TestLevel.count(500, nightly: 2_000)) {
            (String(repeating: "{a}/%20%zz{?b,c*}", count: $0), String(repeating: "%ä/", count: $0))
        } _: { template, value in
            _ = try URITemplate(template).expanded(with: ["a": "1", "b": "2"])
            _ = try URITemplate("{+a}{a}{#a:9999}").expanded(with: ["a": value])
        },
        Work("a Location, whatever its length", of: 4000) { count in
            ["a/../", "%C3%A4", "ä", "//", ":", "?"].map { String(repeating: $0, count: count) }
        } _: { locations in
            let url = URL(string: "http://a.test/b/c") ?? URL(filePath: "/")
            let request = RedirectRules.Request(method: "GET", url: url, canResendBody: true)
            for location in locations + locations.map({ "http://\($0)/" }) {
                _ = RedirectRules().step(after: request, status: 302, location: location, redirects: 0)
            }
        },
    ]

    private static let texts = [
        "a://", "a://u:p@", "a://b:c/", "?a=b", "/a:b@", "&", "http://u:p#", "@", " ? ", "http://h/&", "/a;", "%25",
        "http://h/?a{",
    ].map { piece in
        Work("a text of many times \(piece)", of: TestLevel.count(5_000 / piece.utf8.count, nightly: 5_000)) {
            String(repeating: piece, count: $0)
        } _: {
            _ = URLText().preparingAll(in: $0)
        }
    }
}
