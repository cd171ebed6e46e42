import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@MainActor @Suite(.timeLimit(.test))
struct StandardTransformerTests {
    private let json = Data(#"{"a": "b"}"#.utf8)

    private func content(
        _ contentType: String?, body: Data, standardTransformers: [StandardTransformer] = [.json, .text, .image]
    ) async -> Any? {
        let headers = contentType.map { ["Content-Type": $0] } ?? [:]
        return await PipelineBench(standardTransformers: standardTransformers)
            .content(of: .response(200, headers: headers, body: body))
    }

    @Test(arguments: [
        "application/json", "application/json; charset=utf-8", "APPLICATION/JSON", "x/json", "application/vnd.x+json",
        "application/problem+json;x=y", "image/svg+json",
    ])
    func `Content of JSON types is parsed`(contentType: String) async {
        #expect(await content(contentType, body: json) as? [String: String] == ["a": "b"])
    }

    @Test(arguments: ["text/plain", "text/html; charset=utf-8", "TEXT/Plain", "text/csv", "text/x.y-z"])
    func `Content of text types is decoded`(contentType: String) async {
        #expect(await content(contentType, body: json) as? String == #"{"a": "b"}"#)
    }

    @Test(arguments: [
        "application/octet-stream", "application/jsonp", "application/json-seq", "json", "text", "application/text",
        "application/xml", "x/y/json",
    ])
    func `Content of other types stays as it came`(contentType: String) async {
        #expect(await content(contentType, body: json) as? Data == json)
    }

    @Test func `Content without a type stays as it came`() async {
        #expect(await content(nil, body: json) as? Data == json)
    }

    @Test func `A response without a body is zero-length data`() async {
        #expect(await content(nil, body: Data()) as? Data == Data())
    }

    @Test func `A text response without a body has no content, and reads as an empty text`() async {
        #expect(await content("text/plain", body: Data()) as? Data == Data())
        let bench = PipelineBench()
        bench.network.answer(.get, "/x", with: .text(""))
        await bench.resource.load().completion()
        #expect(bench.resource.latestError == nil)
        #expect(bench.resource.text == "")
    }

    @Test func `What is not an image fails with UnparsableImage`() async {
        let error = await PipelineBench().error(of: .text("nonsense", contentType: "image/png"))
        #expect(error?.cause is RequestError.Cause.UnparsableImage)
        #expect(error?.userMessage == "Cannot decode image")
    }

    @Test func `The image of an error is not decoded`() async {
        let error = await PipelineBench().error(of: .text("nonsense", contentType: "image/png", status: 500))
        #expect(error?.entity?.content as? Data == Data("nonsense".utf8))
        #expect(error?.httpStatusCode == 500)
        #expect(error?.cause == nil)
    }

    @Test func `A service without standard transformers leaves all content as it came`() async {
        for contentType in ["application/json", "text/plain", "image/png"] {
            #expect(await content(contentType, body: json, standardTransformers: []) as? Data == json)
        }
    }

    @Test func `A service has only the standard transformers it was given`() async {
        #expect(await content("text/plain", body: json, standardTransformers: [.text]) is String)
        #expect(await content("application/json", body: json, standardTransformers: [.text]) is Data)
        #expect(await content("application/json", body: json, standardTransformers: [.json]) is [String: Any])
        #expect(await content("text/plain", body: json, standardTransformers: [.json]) is Data)
        #expect(await content("image/png", body: json, standardTransformers: [.json, .text]) is Data)
    }

    @Test func `The standard transformers are in the parsing stage`() async {
        let bench = PipelineBench()
        bench.service.configure { $0.pipeline[.parsing].removeTransformers() }
        #expect(await bench.content(of: .json("{}")) is Data)
        #expect(await bench.content(of: .text("x")) is Data)
    }

    @Test func `Standard transformers can be added again to a pipeline`() async {
        let bench = PipelineBench(standardTransformers: [])
        bench.service.configure { $0.pipeline.add(.json) }
        #expect(await bench.content(of: .json("{}")) is [String: Any])
        #expect(await bench.content(of: .text("x")) is Data)
    }

    @Test func `The standard transformers come before whatever is configured later in their stage`() async {
        let bench = PipelineBench()
        bench.service.configure { $0.pipeline[.parsing].add(Appending("!")) }
        #expect(await bench.content(of: .text("x")) as? String == "x!")
    }

    // MARK: JSON fragments

    @Test func `A standard JSON transformer may allow fragments`() async {
        let bench = PipelineBench(standardTransformers: [.json(allowingFragments: true), .text])
        #expect(await bench.content(of: .json("\"text\"")) as? String == "text")
        #expect(await bench.content(of: .json("12.5")) as? Double == 12.5)
        #expect(await bench.content(of: .json("true")) as? Bool == true)
        #expect(await bench.content(of: .json("null")) is NSNull)
        #expect(await bench.content(of: .json("[1]")) as? [Int] == [1])
        #expect(await bench.error(of: .json("nonsense")) != nil)
    }

    @Test func `A standard JSON transformer that does not allow fragments is the usual one`() async {
        let bench = PipelineBench(standardTransformers: [.json(allowingFragments: false)])
        let cause = await bench.error(of: .json("5"))?.cause
        #expect(cause is RequestError.Cause.JSONResponseIsNotDictionaryOrArray)
    }
}
