import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@MainActor @Suite(.timeLimit(.test))
struct TextResponseTransformerTests {
    private let bench = PipelineBench()

    private func answer(_ bytes: [UInt8], charset: String?, status: Int = 200) -> StubAnswer {
        let parameter = charset.map { "; charset=\($0)" } ?? ""
        return .response(status, headers: ["Content-Type": "text/plain" + parameter], body: Data(bytes))
    }

    @Test(arguments: ["utf-8", "UTF-8", "\"utf-8\""])
    func `Text is decoded by the charset of its content type`(charset: String) async {
        #expect(await bench.content(of: answer([0x63, 0xC3, 0xA9], charset: charset)) as? String == "cé")
    }

    @Test func `Text without a charset is ISO-8859-1`() async {
        #expect(await bench.content(of: answer([0x63, 0xE9, 0xFF], charset: nil)) as? String == "céÿ")
    }

    @Test(
        arguments: [
            ("utf-8", [0xEF, 0xBB, 0xBF, 0x63, 0xC3, 0xA9]), (nil, [0xEF, 0xBB, 0xBF, 0x63, 0xC3, 0xA9]),
            ("utf-16", [0xFF, 0xFE, 0x63, 0, 0xE9, 0]), ("utf-16", [0xFE, 0xFF, 0, 0x63, 0, 0xE9]),
            ("utf-16le", [0xFF, 0xFE, 0x63, 0, 0xE9, 0]), ("UTF-16BE", [0xFE, 0xFF, 0, 0x63, 0, 0xE9]),
            (nil, [0xFF, 0xFE, 0x63, 0, 0xE9, 0]), (nil, [0xFE, 0xFF, 0, 0x63, 0, 0xE9]),
            ("utf-32", [0xFF, 0xFE, 0, 0, 0x63, 0, 0, 0, 0xE9, 0, 0, 0]),
            ("utf-32le", [0xFF, 0xFE, 0, 0, 0x63, 0, 0, 0, 0xE9, 0, 0, 0]),
            ("utf-32be", [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x63, 0, 0, 0, 0xE9]),
            (nil, [0xFF, 0xFE, 0, 0, 0x63, 0, 0, 0, 0xE9, 0, 0, 0]),
            (nil, [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x63, 0, 0, 0, 0xE9]),
        ] as [(String?, [UInt8])])
    func `A byte order mark is not part of the text`(charset: String?, bytes: [UInt8]) async {
        #expect(await bench.content(of: answer(bytes, charset: charset)) as? String == "cé")
    }

    @Test func `Only the first of two byte order marks is removed, and a charset of bytes has none`() async {
        let twice: [UInt8] = [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x63]
        #expect(await bench.content(of: answer(twice, charset: "utf-8")) as? String == "\u{FEFF}c")
        #expect(await bench.content(of: answer([0xEF, 0xBB, 0xBF], charset: "iso-8859-1")) as? String == "ï»¿")
    }

    @Test(arguments: ["no-such-charset", "oodles-of-noodles"])
    func `An unknown charset fails with InvalidTextEncoding`(charset: String) async throws {
        let error = try #require(await bench.error(of: answer([0x61], charset: charset)))
        let cause = try #require(error.cause as? RequestError.Cause.InvalidTextEncoding)
        #expect(cause.encodingName == charset)
        #expect(error.userMessage == "Cannot parse text response")
    }

    @Test func `Bytes that are illegal in the charset fail with UndecodableText`() async throws {
        let error = try #require(await bench.error(of: answer([0xD8], charset: "utf-8")))
        let cause = try #require(error.cause as? RequestError.Cause.UndecodableText)
        #expect(cause.encoding == .utf8)
        #expect(error.userMessage == "Cannot parse text response")
    }

    @Test(
        arguments: [
            ([0xEF, 0xBB, 0xBF, 0xD8], .utf8), ([0xFF, 0xFE, 0x63], .utf16), ([0xFE, 0xFF, 0xD8, 0, 0, 0x63], .utf16),
        ] as [([UInt8], String.Encoding)])
    func `Bytes that are illegal after a byte order mark fail with UndecodableText`(
        bytes: [UInt8], encoding: String.Encoding
    ) async throws {
        let error = try #require(await bench.error(of: answer(bytes, charset: nil)))
        #expect((error.cause as? RequestError.Cause.UndecodableText)?.encoding == encoding)
    }

    @Test func `The body of an error is decoded, and the error keeps its message and status`() async throws {
        let error = try #require(await bench.error(of: .text("too hot", status: 418)))
        #expect(error.text == "too hot")
        #expect(error.httpStatusCode == 418)
        #expect(error.cause == nil)
    }

    @Test(arguments: ["utf-8", "no-such-charset"])
    func `If the body of an error cannot be decoded the original error stays`(charset: String) async throws {
        let error = try #require(await bench.error(of: answer([0xD8], charset: charset, status: 500)))
        #expect(error.httpStatusCode == 500)
        #expect(error.cause == nil)
        #expect(error.userMessage == "Internal server error")
        #expect(error.entity?.content as? Data == Data([0xD8]))
    }

    @Test func `The body of an error is left alone if the transformer is told so`() async throws {
        let bench = PipelineBench(standardTransformers: [])
        bench.service.configure { $0.pipeline[.parsing].add(TextResponseTransformer(false)) }
        #expect(await bench.error(of: .text("x", status: 500))?.entity?.content is Data)
        #expect(await bench.content(of: .text("x")) as? String == "x")
    }

    @Test func `The charset of the entity counts, which an earlier transformer may have changed`() async {
        bench.service.configure { $0.pipeline[.decoding].add(CharsetCorrection()) }
        #expect(await bench.content(of: answer([0x63, 0xC3, 0xA9], charset: "iso-8859-1")) as? String == "cé")
    }

    @Test func `Text that an earlier stage has decoded fails, because it would be decoded twice`() async throws {
        bench.service.configure { $0.pipeline[.decoding].add(Replacing(content: "decoded")) }
        let error = try #require(await bench.error(of: .text("x")))
        let cause = try #require(error.cause as? RequestError.Cause.WrongInputTypeInTranformerPipeline)
        #expect("\(cause.expectedType), \(cause.actualType)" == "Data, String")
        #expect(error.userMessage == "Cannot parse server response")
    }

    @Test func `Content that is neither data nor text is skipped`() async {
        bench.service.configure { $0.pipeline[.decoding].add(Replacing(content: ["parsed"])) }
        #expect(await bench.content(of: .text("x")) as? [String] == ["parsed"])
    }

    @Test func `JSON of a text type is parsed once, also if it is a text`() async {
        #expect(await bench.content(of: .text("{}", contentType: "text/json")) is [String: Any])
        let bench = PipelineBench(standardTransformers: [.json(allowingFragments: true), .text])
        #expect(await bench.content(of: .text("\"a\"", contentType: "text/json")) as? String == "a")
    }

    @Test func `The text of an error that an earlier stage has decoded stays`() async throws {
        bench.service.configure { $0.pipeline[.decoding].add(Replacing(content: "decoded")) }
        let error = try #require(await bench.error(of: .text("x", status: 500)))
        #expect(error.text == "decoded")
        #expect(error.httpStatusCode == 500)
        #expect(error.cause == nil)
    }

    @Test func `The resource has the text where the accessor looks`() async {
        bench.network.answer(.get, "/x", with: .text("some text"))
        await bench.resource.load().completion()
        #expect(bench.resource.text == "some text")
    }

    /// Replaces the content of successes and errors.
    private struct Replacing<Content: Sendable>: ResponseTransformer {
        let content: Content

        func process(_ response: Response) -> Response {
            switch response {
            case .success(var entity):
                entity.content = content
                return .success(entity)
            case .failure(var error):
                error.entity?.content = content
                return .failure(error)
            }
        }
    }

    private struct CharsetCorrection: ResponseTransformer {
        func process(_ response: Response) -> Response {
            guard case .success(var entity) = response else { return response }
            entity.charset = "utf-8"
            return .success(entity)
        }
    }
}
