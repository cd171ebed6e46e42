import Foundation
import HTTPRules

import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if os(Linux)
import CurlTransport
#endif

@Suite(.timeLimit(.test))
struct HeaderFieldsTests {
    @Test func `All fields by their names in lower case; repeated ones joined, cookies not`() {
        let pairs = ["A": "1", "b": "2", "B": "3", "set-cookie": "d", "Set-Cookie": "c"]
        let wanted = ["a": "1", "b": "3, 2", "set-cookie": "c"]
        #expect(HeaderFields(pairs).dictionary == wanted)
        for (name, value) in wanted { #expect(HeaderFields(pairs)[name.uppercased()] == value) }
        #if os(Linux)
        let list: HeaderList = ["A": "1", "B": "3", "Set-Cookie": "c", "b": "2", "set-cookie": "d"]
        #expect(HeaderFields(list.fields).dictionary == wanted)
        #endif
    }

    @Test func `A response has its fields by any spelling of their names; those of the app are joined`() throws {
        let url = try #require(URL(string: "http://a.test/"))
        let headers = ["content-TYPE": "a/b", "X-A": "1", "x-a": "2", "ETag": "\"1\""]
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: headers))
        let fields = HeaderFields(response)
        let values = ["Content-Type", "ETAG", "x-A", "none"].map { fields[$0] }
        #expect(values == ["a/b", "\"1\"", "1, 2", nil])
        #expect(["content-type", "x-A", "none"].map { fields.contains($0) } == [true, true, false])
        #expect(fields.dictionary == ["content-type": "a/b", "etag": "\"1\"", "x-a": "1, 2"])
        #expect(fields.consists(of: ["etag", "content-type", "x-a"]))
        #expect(!fields.consists(of: ["etag", "content-type"]))
    }

    @Test(arguments: [2, 16, 17, 400])
    func `Of many fields as of few, repeated ones are joined in the order of their names`(count: Int) {
        var fields = Dictionary(uniqueKeysWithValues: (0..<count).map { ("x-\($0)", "") })
        fields["twice"] = "2"
        fields["Twice"] = "1"
        #expect(HeaderFields(fields)["TWICE"] == "1, 2")
        #expect(HeaderFields(fields).dictionary["twice"] == "1, 2")
        #expect(HeaderFields(fields).dictionary.count == count + 1)
    }

    @Test func `Names and values with many combining marks cost time proportional to their length`() throws {
        let growth = try Growth(of: 1_000) { count in
            let text = "n" + String(repeating: "\u{301}\u{323}", count: count)
            let response = try #require(
                HTTPURLResponse(
                    url: URL(fileURLWithPath: "/"), statusCode: 200, httpVersion: nil, headerFields: ["ETag": text]))
            #if os(Linux)
            let list: HeaderList = ["ETag": text, text: "x", text + "y": "z"]
            return [HeaderFields(response), HeaderFields(list.fields)]
            #else
            return [HeaderFields(response)]
            #endif
        } _: { all in
            for fields in all {
                #expect(fields["etag"] != "next")
                #expect(Set([fields["etag"], "a"]).count == 2)
                #expect(fields.dictionary.count == fields.count)
                #expect(HeaderFields(fields.dictionary).dictionary.count == fields.count)
            }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    /// Fields that a server could send: all different, all the same, all cookies.
    enum Shape: CaseIterable {
        case different, same, cookies

        func name(_ index: Int) -> String {
            switch self {
            case .different: "x-\(index)"
            case .same: "x"
            case .cookies: "Set-Cookie"
            }
        }
    }

    #if os(Linux)
    @Test(arguments: Shape.allCases)
    func `Taking all fields of a response costs time proportional to their number`(shape: Shape) {
        let growth = Growth(of: TestLevel.count(1_250, nightly: 5_000)) { count in
            var list = HeaderList()
            for index in 0..<count { list.append(shape.name(index), "value") }
            return list
        } _: { list in
            let fields = HeaderFields(list.fields)
            #expect(fields.dictionary.isEmpty == false)
            _ = (fields["x"], fields["nothing"], list.combined, list.values(of: "x"))
            let entity = Entity<Any>(headerFields: fields, content: "")
            #expect(entity.headers.isEmpty == false)
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test(arguments: Shape.allCases)
    func `A response as Foundation has it costs time proportional to its fields`(shape: Shape) throws {
        let url = try #require(URL(string: "http://a.test/"))
        let growth = try Growth(of: 2000) { count in
            var list = HeaderList()
            for index in 0..<count { list.append(shape.name(index), "value") }
            return NetworkResponse.Head(status: 200, fields: HeaderFields(list.fields), url: url)
        } _: { (head: NetworkResponse.Head) in
            let response = try #require(head.urlResponse)
            #expect(HeaderFields(response).dictionary.isEmpty == false)
        }
        #expect(growth.isBounded, "\(growth)")
    }
    #endif

    @Test func `Fields from a dictionary cost time proportional to their number, also if they differ in case alone`() {
        let growth = Growth(of: 5000) { count in
            Dictionary(uniqueKeysWithValues: (0..<count).map { ("name-that-is-long-\($0)", "value") })
        } _: { fields in
            var entity = Entity<Any>(content: "", headers: fields)
            entity.headers = fields
            #expect(entity.headers.count == fields.count)
        }
        #expect(growth.isBounded, "\(growth)")
        let spellings = Growth(of: 500) { count in
            let value = String(repeating: "v", count: 100)
            return Dictionary(uniqueKeysWithValues: (0..<count).map { (Self.spelling($0), value) })
        } _: { fields in
            let fields = HeaderFields(fields)
            #expect((fields["abcdefghijkl"], fields.dictionary.count) == (fields.dictionary["abcdefghijkl"], 1))
        }
        #expect(spellings.isBounded, "\(spellings)")
    }

    /// Returns one of 4096 ways to write twelve letters in upper and lower case.
    private static func spelling(_ number: Int) -> String {
        String("abcdefghijkl".enumerated().map { number >> $0 & 1 == 1 ? Character($1.uppercased()) : $1 })
    }
}
