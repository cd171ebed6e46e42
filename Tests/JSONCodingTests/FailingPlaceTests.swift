#if os(Linux) || os(Android)
import Foundation
import Synchronization
import TestKit
import Testing

@testable import JSONCoding

/// A decode that fails, and whose error Foundation makes at the place of the failure alone.
@Suite(.timeLimit(.test), .enabled(if: !JSONCoding.isOff))
struct FailingPlaceTests {
    private enum Kind: String, Decodable { case open, closed }

    private struct Account: Decodable {
        var id: Int
        var name: String
        var tags: [String]
        var kind: Kind?
        var rank: UInt8?
        var owner: [Account]?
        var limits: [String: Double]?
        var since: Date?
    }

    private struct Page: Decodable { var accounts: [Account] }

    /// Returns all that can be seen of an error, with the types of the keys of its path.
    private static func text(_ error: any Error) -> String {
        var path: [any CodingKey] = []
        switch error as? DecodingError {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            path = context.codingPath
        case .keyNotFound(let key, let context): path = context.codingPath + [key]
        default: break
        }
        return Transcript.text(error: error) + " \(path.map { type(of: $0) })"
    }

    /// Returns a text that is so long that only the place of a failure is decoded once more.
    private static func data(_ text: String) -> Data {
        Data((text + String(repeating: " ", count: Document.minimumPlaceLength)).utf8)
    }

    /// Expects the error of Foundation. Returns true if the whole text was decoded once more.
    private func fail<T: Decodable>(
        _ type: T.Type, _ text: String, _ decoder: JSONDecoder = JSONDecoder(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Bool {
        let options = try #require(DecodingOptions(decoder))
        let data = Self.data(text)
        let expected = #expect(throws: (any Error).self, sourceLocation: sourceLocation) {
            try decoder.decode(type, from: data)
        }
        do {
            let value = try Document.value(type, from: data, options)
            #expect(value == nil, sourceLocation: sourceLocation)
            return true
        } catch {
            #expect(Self.text(error) == expected.map(Self.text), sourceLocation: sourceLocation)
            return false
        }
    }

    private static let whole = #""id": 1, "name": "a", "tags": []"#

    @Test(arguments: [
        #"{"id": "1", "name": "a", "tags": []}"#, #"{"id": null, "name": "a", "tags": []}"#, #"{"id": 1, "tags": []}"#,
        #"{"id": 1.5, "name": "a", "tags": []}"#, #"{"id": 1e30, "name": "a", "tags": []}"#,
        #"{"id": [], "name": "a", "tags": []}"#, #"{"id": 1, "name": {"a": 1}, "tags": []}"#,
        #"{"id": 1, "name": true, "tags": []}"#, #"{"id": 1, "name": "a", "tags": ["a", "b\u00e9", 3, 4]}"#,
        #"{"id": 1, "name": "a", "tags": {}}"#, #"{"id": 1, "name": "a", "tags": null}"#, "{}",
        "{\(whole), \"kind\": \"ajar\"}", "{\(whole), \"kind\": 1}", "{\(whole), \"rank\": 256}",
        "{\(whole), \"rank\": -1}", "{\(whole), \"owner\": 1}", "{\(whole), \"owner\": [{\(whole)}, {\(whole)}, 1]}",
        "{\(whole), \"owner\": [{\(whole), \"owner\": [{\(whole)}, {\"id\": 1, \"name\": 2}]}]}",
        "{\(whole), \"limits\": {\"a\": 1, \"b \\\" \\n\": \"2\"}}", "{\(whole), \"limits\": []}",
        "{\(whole), \"since\": \"today\"}", "{\(whole), \"since\": {}}", "[]", "1", "null", "\"a\"",
    ])
    func `Each failure of a type has the error of Foundation, and is not decoded once more`(text: String) throws {
        #expect(try !fail(Account.self, text))
        #expect(try !fail([Account].self, "[{\(Self.whole)}, \(text), {\(Self.whole)}, 1]"))
        #expect(try !fail(Page.self, "{\"other\": [1], \"accounts\": [{\(Self.whole)}, {\(Self.whole)}, \(text)]}"))
        #expect(try !fail([String: [[Account]]].self, "{\"a\": [], \"é\": [[], [\(text)]]}"))
    }

    @Test func `Scalars, lists of scalars and keys with numbers fail in the same way`() throws {
        #expect(try !fail([Int].self, "[1, 2, \"3\"]"))
        #expect(try !fail([[Double]].self, "[[1.5], [2, null]]"))
        #expect(try !fail([Int: [Bool]].self, #"{"1": [true], "2": [false, 0]}"#))
        #expect(try !fail(Bool.self, "1"))
        #expect(try !fail([URL].self, "[1]"))
        #expect(try !fail([Date].self, "[null]"))
        #expect(try !fail([Data].self, "[null]"))
        #expect(try !fail([Decimal].self, "[\"1\"]"))
    }

    @Test func `A short text is decoded as a whole, which takes less time`() throws {
        let options = try #require(DecodingOptions(JSONDecoder()))
        #expect(try Document.value([Int].self, from: Data("[true]".utf8), options) == nil)
        #expect(throws: DecodingError.self) { try Document.value([Int].self, from: Self.data("[true]"), options) }
    }

    @Test func `Keys that are converted, and numbers in texts, fail in the same way`() throws {
        struct Account: Decodable {
            var userName: String
            var shares: [Double]
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        #expect(try !fail([Account].self, #"[{"user_name": "a", "shares": []}, {"user_name": 1}]"#, decoder))
        #expect(try !fail([Account].self, #"[{"user_name": "a", "shares": [1, false]}]"#, decoder))
        #expect(try !fail(Account.self, #"{"user_nam": "a"}"#, decoder))
        #expect(try !fail([Account].self, #"[{"user_name": "a", "shares": ["inf", "ten"]}]"#, decoder))
        // This key is not converted.
        #expect(try fail([String: Bool].self, #"{"user_name": 1}"#, decoder))
    }

    @Test func `Foundation decodes the whole text if the place does not show its error`() throws {
        struct Refused: Error {}
        struct Elsewhere: Decodable {
            init(from decoder: any Decoder) throws {
                let path: [any CodingKey] = [AnyKey(stringValue: "b"), AnyKey(stringValue: "c")]
                throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "no c"))
            }
        }
        struct Other: Decodable {
            init(from decoder: any Decoder) throws {
                throw DecodingError.typeMismatch(Int.self, .init(codingPath: [], debugDescription: "not even"))
            }
        }
        struct Imitation: Decodable {
            init(from decoder: any Decoder) throws {
                let message = "Expected to decode String but found number instead."
                throw DecodingError.typeMismatch(URL.self, .init(codingPath: [], debugDescription: message))
            }
        }
        struct Caused: Decodable {
            init(from decoder: any Decoder) throws {
                let context = DecodingError.Context(codingPath: [], debugDescription: "x", underlyingError: Refused())
                throw DecodingError.dataCorrupted(context)
            }
        }
        /// A type that replaces the error of one value by that of another.
        struct Second: Decodable {
            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: AnyKey.self)
                do {
                    _ = try values.decode(Int.self, forKey: AnyKey(stringValue: "a"))
                } catch {
                    _ = try values.decode([Bool].self, forKey: AnyKey(stringValue: "b"))
                }
            }
        }
        #expect(try fail([Elsewhere].self, #"[{"b": 1}]"#))
        struct Inherited: Decodable {
            init(from decoder: any Decoder) throws {
                let parent = try decoder.container(keyedBy: AnyKey.self).superDecoder()
                _ = try parent.singleValueContainer().decode(String.self)
            }
        }
        #expect(try fail(Other.self, "1"))
        #expect(try fail(Other.self, "true"))
        #expect(try fail(Imitation.self, "1"))
        #expect(try fail(Inherited.self, #"{"super": 1}"#))
        #expect(try fail(Caused.self, "1"))
        #expect(try !fail([Second].self, #"[{"a": "1", "b": [true, 1]}]"#))
    }

    @Test func `An error of the app's own arrives as it is`() throws {
        struct Refused: Error { let path: String }
        struct Own: Decodable {
            init(from decoder: any Decoder) throws { throw Refused(path: Transcript.text(path: decoder.codingPath)) }
        }
        #expect(try !fail(Own.self, "1"))
        #expect(try !fail([[String: Own]].self, #"[{}, {"a": {}}]"#))
        #expect(try !fail([URL: Own].self, #"["https://example.com/", 1]"#))
    }

    @Test func `Values that only Foundation can judge have its errors, where they are caught, too`() throws {
        struct Entry: Decodable {
            let texts: [String]
            init(from decoder: any Decoder) throws {
                var elements = try decoder.unkeyedContainer()
                var texts: [String] = []
                while !elements.isAtEnd {
                    do {
                        texts.append("\(try elements.decode(URL.self))")
                    } catch DecodingError.dataCorrupted(let context) where context.debugDescription.contains("URL") {
                        texts.append("\(try elements.decode(String.self)) \(Transcript.text(path: context.codingPath))")
                    }
                }
                self.texts = texts
            }
        }
        let options = try #require(DecodingOptions(JSONDecoder()))
        for count in 3...6 {
            let list = repeatElement(#""https://example.com/", """#, count: count).joined(separator: ",")
            let data = Self.data("[[\(list)]]")
            let result = try Document.value([Entry].self, from: data, options)
            #expect((result == nil) == (count > 4), "Foundation makes up to four errors.")
            let values = try JSONCoding.decode([Entry].self, from: data)
            #expect(try values.map(\.texts) == JSONDecoder().decode([Entry].self, from: data).map(\.texts))
        }
        #expect(try !fail([URL].self, #"["https://example.com/", ""]"#))
        #expect(try !fail([Data].self, #"["aGk=", "a"]"#))
        #expect(try !fail([Decimal].self, #"[1, "a"]"#))
    }

    @Test func `The path of an error of a date depends on the types that are being decoded`() throws {
        struct Nested: Decodable {
            init(from decoder: any Decoder) throws {
                var elements = try decoder.unkeyedContainer()
                _ = try elements.decode(Int.self)
                let values = try elements.nestedContainer(keyedBy: AnyKey.self)
                do {
                    _ = try values.decode(Date.self, forKey: AnyKey(stringValue: "a"))
                } catch DecodingError.dataCorrupted(let context) {
                    let path = Transcript.text(path: context.codingPath)
                    throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: path))
                }
            }
        }
        struct Direct: Decodable { var date: Date }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect(try fail([Nested].self, #"[[1, {"a": "today"}]]"#, decoder))
        #expect(try fail([Direct].self, #"[{"date": "today"}]"#, decoder))
        #expect(try fail([Date].self, #"["2026-11-26T12:00:00Z", "2026-13-26T12:00:00Z"]"#, decoder))
    }

    @Test(arguments: [
        "[\"\u{1}\"]", "[\"a\", \"\u{1}b\u{1}\", 1]", "[[1],\n[true,\"\u{1}\"]]", "{\"a\": \"\u{1}\"}", "[1e999, 300]",
    ])
    func `A type that catches an error of bytes that are not UTF-8 gets the one of Foundation`(text: String) {
        let data = Data(Self.data(text).map { $0 == 1 ? 0xFF : $0 })
        for seed in 0..<TestLevel.count(50, nightly: 200) as Range<UInt64> {
            if let difference = Differential.decodeDifference(Probe.self, data, seed: seed, { $0.record }) {
                Issue.record("\(difference)")
            }
        }
    }

    /// A key of an app whose text is that of an index.
    private struct IndexKey: CodingKey {
        let stringValue: String
        let intValue: Int?

        init(_ index: Int) { (stringValue, intValue) = ("Index \(index)", index) }
        init(stringValue: String) { fatalError("No key is made of the text.") }
        init(intValue: Int) { self.init(intValue) }
    }

    @Test func `A key of the app's own for an index stays`() throws {
        struct Own: Decodable {
            init(from decoder: any Decoder) throws {
                throw DecodingError.dataCorrupted(.init(codingPath: [IndexKey(0)], debugDescription: "own"))
            }
        }
        struct Imitation: Decodable {
            init(from decoder: any Decoder) throws {
                let message = "Expected to decode Int but found a string instead."
                throw DecodingError.typeMismatch(Int.self, .init(codingPath: [IndexKey(0)], debugDescription: message))
            }
        }
        #expect(try fail(Own.self, "[1]"))
        #expect(try fail(Imitation.self, #"["1"]"#))
    }

    /// A key that records the addresses of the stack at which it is read.
    private struct StackKey: CodingKey {
        static let addresses = Mutex<[UInt]>([])
        var stringValue: String {
            var local = 0
            let address = withUnsafePointer(to: &local) { UInt(bitPattern: $0) }
            StackKey.addresses.withLock { $0.append(address) }
            return "a"
        }
        var intValue: Int? { nil }

        init() {}
        init?(stringValue: String) { return nil }
        init?(intValue: Int) { return nil }
    }

    @Test(.disabled(if: dlsym(nil, "__asan_init") != nil, "The address sanitizer moves variables from the stack."))
    func `The error of a deep value needs no more stack than that of a flat one`() throws {
        /// A type that opens one container after another, without recursion.
        struct Deep: Decodable {
            init(from decoder: any Decoder) throws {
                var values = try decoder.container(keyedBy: StackKey.self)
                while let next = try? values.nestedContainer(keyedBy: StackKey.self, forKey: StackKey()) {
                    values = next
                }
                _ = try values.decode(Int.self, forKey: StackKey())
            }
        }
        func stack(depth: Int) throws -> UInt {
            StackKey.addresses.withLock { $0 = [] }
            let text = repeatElement(#"{"a":"#, count: depth).joined() + "true" + String(repeating: "}", count: depth)
            #expect(throws: DecodingError.self) {
                try Document.value(Deep.self, from: Self.data(text), #require(DecodingOptions(JSONDecoder())))
            }
            return StackKey.addresses.withLock { ($0.max() ?? 0) - ($0.min() ?? 0) }
        }
        #expect(try stack(depth: 400) < stack(depth: 4) + 4096)
    }

    @Test(arguments: ["[1, 2", #"{"a": [1, 2]"#, "[[1]\n\n", #"{"a": 1]"#, " [1", "{", "[", ""])
    func `A text that is cut off has the error of Foundation`(text: String) throws {
        #expect(try fail([Int].self, text))
        #expect(Differential.treeDifference(Data(text.utf8)) == nil)
    }

    @Test func `Many failures in long lists, all caught, take linear time`() throws {
        struct Lossy: Decodable {
            var count = 0
            init(from decoder: any Decoder) throws {
                var elements = try decoder.unkeyedContainer()
                while !elements.isAtEnd {
                    if (try? elements.decode(Int.self)) == nil { _ = try elements.decode(String.self) }
                    count += 1
                }
                _ = try elements.decode(Int.self)
            }
        }
        let count = TestLevel.count(20_000, nightly: 100_000)
        let text = "[" + String(repeating: "\"a\",", count: count) + "1]"
        #expect(try fail(Lossy.self, text))
    }
}
#endif
