import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@MainActor @Suite(.timeLimit(.test))
struct JSONResponseTransformerTests {
    private let bench = PipelineBench()

    @Test func `An object becomes a dictionary`() async {
        let content = await bench.content(of: .json(#"{"a": {"b": [1, null, "é", true, 2.5]}}"#))
        let nested = ((content as? [String: Any])?["a"] as? [String: Any])?["b"] as? [Any]
        #expect(nested?.count == 5)
        #expect(nested?[0] as? Int == 1)
        #expect(nested?[1] is NSNull)
        #expect(nested?[2] as? String == "é")
        #expect(nested?[3] as? Bool == true)
        #expect(nested?[4] as? Double == 2.5)
    }

    private func answer(_ bytes: [UInt8], _ fields: [String: String]) -> StubAnswer {
        .response(200, headers: fields, body: Data(bytes))
    }

    @Test(
        arguments: [
            ("iso-8859-1", [0xE9]), ("ISO-8859-1", [0xC3, 0xA9]), ("\"windows-1252\"", [0xE9]), ("macintosh", [0x8E]),
            ("us-ascii", [0xC3, 0xA9]), ("no-such-charset", [0xC3, 0xA9]), ("utf-8", [0xC3, 0xA9]),
        ] as [(String, [UInt8])])
    func `JSON that is not UTF-8 is read by the charset of its label`(charset: String, letter: [UInt8]) async {
        let bytes = Array(#"{"a": ""#.utf8) + letter + Array(#""}"#.utf8)
        let label = ["Content-Type": "application/json; charset=\(charset)"]
        #expect((await bench.content(of: answer(bytes, label)) as? [String: String])?["a"] == "é")
        bench.service.decode("/x", as: [String: String].self)
        #expect(await bench.content(of: answer(bytes, label)) as? [String: String] == ["a": "é"])
    }

    @Test(arguments: [nil, "utf-8", "us-ascii"])
    func `JSON that is neither UTF-8 nor in the charset of its label fails`(charset: String?) async {
        let bytes = Array(#"{"a": ""#.utf8) + [0xE9] + Array(#""}"#.utf8)
        let label = ["Content-Type": "application/json" + (charset.map { "; charset=\($0)" } ?? "")]
        #expect(await bench.error(of: answer(bytes, label)) != nil)
    }

    @Test(arguments: [
        ("application/json, application/json", true), ("application/json,application/json", true),
        ("application/json; charset=utf-8, application/json; charset=utf-8", true),
        ("application/json, text/html", false), ("application/json, application/json; charset=utf-8", false),
    ])
    func `Two equal fields with the content type count as one, and others are of no type`(field: String, isJSON: Bool)
        async
    {
        let content = await bench.content(of: answer(Array(#"{"a": 1}"#.utf8), ["Content-Type": field]))
        #expect((content as? [String: Int] == ["a": 1]) == isJSON)
        #expect((content is Data) == !isJSON)
    }

    @Test func `An array becomes an array`() async {
        #expect(await bench.content(of: .json(#"["a", "b"]"#)) as? [String] == ["a", "b"])
    }

    @Test func `An empty object and an empty array are content`() async {
        #expect((await bench.content(of: .json("{}")) as? [String: Any])?.isEmpty == true)
        #expect((await bench.content(of: .json("[]")) as? [Any])?.isEmpty == true)
    }

    @Test func `The resource has the content where the accessors look`() async {
        bench.network.answer(.get, "/x", with: .json(#"{"a": 1}"#), .json("[1, 2]"))
        await bench.resource.load().completion()
        #expect(bench.resource.jsonDict["a"] as? Int == 1)
        await bench.resource.load().completion()
        #expect(bench.resource.jsonArray.count == 2)
        #expect(bench.resource.jsonDict.isEmpty)
    }

    @Test(arguments: ["\"text\"", "5", "2.5", "true", "null"])
    func `Any other top level fails with JSONResponseIsNotDictionaryOrArray`(body: String) async throws {
        let error = try #require(await bench.error(of: .json(body)))
        #expect(error.cause is RequestError.Cause.JSONResponseIsNotDictionaryOrArray)
        #expect(error.userMessage == "Cannot parse server response")
    }

    @Test func `The cause tells the type that was found instead`() async {
        let cause = await bench.error(of: .json("null"))?.cause
        let actual = (cause as? RequestError.Cause.JSONResponseIsNotDictionaryOrArray)?.actualType
        #expect(actual.map { $0 is NSNull.Type } == true)
    }

    @Test(arguments: [" ", "nonsense", "{", #"{"a" "b"}"#, "[1, 2", "{}{}", "\u{0}"])
    func `Malformed JSON is the error "Cannot parse server response"`(body: String) async throws {
        let error = try #require(await bench.error(of: .json(body)))
        #expect(error.userMessage == "Cannot parse server response")
        #expect(error.cause != nil)
        #expect(error.httpStatusCode == nil)
    }

    @Test func `The error has the unparsed body as its entity`() async {
        let error = await bench.error(of: .json("nonsense", headers: ["X-A": "b"]))
        #expect(error?.entity?.content as? Data == Data("nonsense".utf8))
        #expect(error?.entity?.header(forKey: "x-a") == "b")
    }

    @Test func `Absurdly nested JSON is an error, not a crash`() async {
        let depth = 100_000
        let body = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(await bench.error(of: .json(body))?.userMessage == "Cannot parse server response")
    }

    @Test func `The body of an error is parsed, and the error keeps its message and status`() async throws {
        let error = try #require(await bench.error(of: .json(#"{"code": 7}"#, status: 400)))
        #expect(error.jsonDict["code"] as? Int == 7)
        #expect(error.httpStatusCode == 400)
        #expect(error.userMessage == "Bad request")
        #expect(error.cause == nil)
    }

    @Test(arguments: ["nonsense", "5", ""])
    func `If the body of an error cannot be parsed the original error stays`(body: String) async throws {
        let error = try #require(await bench.error(of: .json(body, status: 404)))
        #expect(error.entity?.content as? Data == Data(body.utf8))
        #expect(error.httpStatusCode == 404)
        #expect(error.userMessage == "Not found")
        #expect(error.cause == nil)
    }

    @Test func `The body of an error is left alone if the transformer is told so`() async throws {
        let bench = PipelineBench(standardTransformers: [])
        bench.service.configure { $0.pipeline[.parsing].add(JSONResponseTransformer(false), contentTypes: ["*/json"]) }
        let error = try #require(await bench.error(of: .json(#"{"code": 7}"#, status: 400)))
        #expect(error.entity?.content is Data)
        #expect(await bench.content(of: .json("{}")) is [String: Any])
    }

    @Test func `A failure of the network goes through untouched`() async throws {
        let error = try #require(await bench.error(of: .failure(.timedOut)))
        #expect((error.cause as? URLError)?.code == .timedOut)
        #expect(error.entity == nil)
    }

    @Test func `Content that is not data fails with the input type`() async {
        bench.service.configureTransformer("/x", atStage: .decoding) { (_: Entity<Data>) in "a string" }
        let cause = await bench.error(of: .json("{}"))?.cause
        let mismatch = cause as? RequestError.Cause.WrongInputTypeInTranformerPipeline
        #expect(mismatch.map { $0.expectedType == Data.self } == true)
        #expect(mismatch.map { $0.actualType == String.self } == true)
    }
}
