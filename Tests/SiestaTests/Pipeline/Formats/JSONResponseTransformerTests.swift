import Foundation
import Siesta
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
