import Dispatch
import Foundation

import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

@MainActor @Suite(.timeLimit(.test))
struct ResponseProcessingTests {
    private let bench = PipelineBench()

    private static let mainQueueKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    private nonisolated static func isOnMainQueue(_ key: DispatchSpecificKey<Bool>) -> Bool {
        DispatchQueue.getSpecific(key: key) == true
    }

    /// A transformer that replaces a response by another.
    private struct Changing: ResponseTransformer {
        let change: @Sendable (Response) -> Response

        func process(_ response: Response) -> Response { change(response) }
    }

    private struct Refusal: Error {}

    // MARK: Threads and time

    @Test func `Transformers run off the main thread, hooks on it`() async {
        let key = Self.mainQueueKey
        #expect(Self.isOnMainQueue(key))
        bench.service.configureTransformer("/x") { (_: Entity<String>) in Self.isOnMainQueue(key) }
        bench.network.answer(.get, "/x", with: .text("x"))
        var isHookOnMainQueue = false
        let request = bench.resource.load().onSuccess { _ in isHookOnMainQueue = Self.isOnMainQueue(key) }
        await request.completion()
        #expect(bench.resource.typedContent() == false)
        #expect(isHookOnMainQueue)
    }

    /// Returns true if the thread that receives a response with JSON processes it.
    private func isProcessedAtOnce(_ json: String, _ pipeline: Pipeline, status: Int = 200) -> Bool {
        let head = NetworkResponse.Head(status: status, fields: HeaderFields(["Content-Type": "application/json"]))
        let response = NetworkResponse(head: head, body: Data(json.utf8), error: nil)
        let (isFailure, processing) = (response.isFailure(true), ResponseProcessing(pipeline))
        let raw = response.interpret(isFailure, "application/json")
        return response.processHere(raw, processing, isFailure ? nil : "application/json") != nil
    }

    @Test func `A short body that only the library processes needs no other thread`() {
        let long = "[\(String(repeating: "1,", count: 3000))1]"
        var pipeline = Pipeline()
        pipeline.add(.json)
        pipeline.add(.text)
        #expect(isProcessedAtOnce("[1]", pipeline))
        #expect(isProcessedAtOnce("[1", pipeline))
        #expect(isProcessedAtOnce("[1]", pipeline, status: 404))
        #expect(!isProcessedAtOnce(long, pipeline))
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            func nested(_ depth: Int) -> String {
                String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
            }
            #expect(isProcessedAtOnce(nested(100), pipeline))
            #expect(!isProcessedAtOnce(nested(101), pipeline))
        }
        var withOther = pipeline
        withOther[.model].add(Appending("a"), contentTypes: ["text/plain"])
        #expect(isProcessedAtOnce("[1]", withOther))
        withOther[.model].add(Appending("a"), contentTypes: ["*/json"])
        #expect(!isProcessedAtOnce("[1]", withOther))
        var withErrorsOnly = pipeline
        withErrorsOnly[.parsing].keepForErrorsOnly()
        #expect(isProcessedAtOnce("[1]", withErrorsOnly))
        withErrorsOnly[.model].add(Appending("a"))
        #expect(!isProcessedAtOnce("[1]", withErrorsOnly))
        pipeline[.rawData].cacheUsing(InMemoryCache())
        #expect(!isProcessedAtOnce("[1]", pipeline))
    }

    @Test func `A request is completed only when its response has been through the pipeline`() async {
        let gate = DispatchSemaphore(value: 0)
        let (arrival, arrived) = AsyncStream.makeStream(of: Void.self)
        bench.service.configureTransformer("/x") { (entity: Entity<String>) in
            arrived.yield()
            gate.wait()
            return entity.content + "!"
        }
        bench.network.answer(.get, "/x", with: .text("x"))
        let request = bench.resource.load()
        for await _ in arrival { break }
        #expect(request.state == .inProgress)
        #expect(bench.resource.isLoading)
        #expect(bench.resource.latestData == nil)
        gate.signal()
        await request.completion()
        #expect(request.state == .completed)
        #expect(bench.resource.text == "x!")
    }

    @Test func `A request cancelled while its response is in the pipeline stays cancelled`() async {
        let gate = DispatchSemaphore(value: 0)
        let (arrival, arrived) = AsyncStream.makeStream(of: Void.self)
        let (departure, departed) = AsyncStream.makeStream(of: Void.self)
        bench.service.configureTransformer("/x") { (entity: Entity<String>) in
            arrived.yield()
            gate.wait()
            departed.yield()
            return entity.content
        }
        bench.network.answer(.get, "/x", with: .text("x"))
        let request = bench.resource.load()
        for await _ in arrival { break }
        request.cancel()
        gate.signal()
        for await _ in departure { break }
        #expect(await request.completion().response.isCancellation)
        await mainQueueTurn()
        #expect(bench.resource.latestData == nil)
        #expect(bench.resource.latestError == nil)
    }

    // MARK: Results of stages

    @Test func `An error skips the later conversions`() async {
        bench.service.configureTransformer("/x", atStage: .decoding) { (_: Entity<Data>) -> Data? in throw Refusal() }
        bench.service.configureTransformer("/x", atStage: .cleanup) { (_: Entity<Any>) -> String? in
            Issue.record("There is nothing to convert")
            return "x"
        }
        let error = await bench.error(of: .json("{}"))
        #expect(error?.cause is Refusal)
    }

    @Test func `A transformer can turn an error into a success`() async {
        bench.service.configure("/x") { configuration in
            configuration.pipeline[.cleanup].add(
                Changing { response in
                    guard response.failure?.httpStatusCode == 404 else { return response }
                    return .success(Entity<Any>(content: "nothing here", contentType: "text/plain"))
                })
        }
        bench.network.answer(.get, "/x", with: .response(404), .response(500))
        await bench.resource.load().completion()
        #expect(bench.resource.text == "nothing here")
        #expect(bench.resource.latestError == nil)
        await bench.resource.load().completion()
        #expect(bench.resource.latestError?.httpStatusCode == 500)
    }

    @Test func `A transformer can turn a success into an error`() async {
        bench.service.configure("/x") { configuration in
            configuration.pipeline[.cleanup].add(
                Changing { response in
                    guard case .success(let entity) = response, entity.jsonDict["ok"] as? Bool == false else {
                        return response
                    }
                    return .failure(
                        RequestError(userMessage: entity.jsonDict["why"] as? String ?? "", cause: Refusal()))
                })
        }
        bench.network.answer(.get, "/x", with: .json(#"{"ok": false, "why": "because"}"#))
        await bench.resource.load().completion()
        #expect(bench.resource.latestError?.userMessage == "because")
        #expect(bench.resource.latestData == nil)
    }

    @Test func `A later stage takes what an earlier one has made`() async {
        bench.service.configureTransformer("/x", atStage: .model) { (entity: Entity<[String: Any]>) in
            entity.content.count
        }
        bench.service.configureTransformer("/x", atStage: .cleanup) { (entity: Entity<Int>) in "\(entity.content) keys"
        }
        #expect(await bench.content(of: .json(#"{"a": 1, "b": 2}"#)) as? String == "2 keys")
    }

    @Test func `An error refused by one of several transformErrors stages goes on to the next as it was`() async {
        bench.service.configureTransformer("/x", atStage: .model, transformErrors: true) {
            (entity: Entity<[String: Any]>) -> [String: Any]? in throw Refusal()
        }
        bench.service.configureTransformer("/x", atStage: .cleanup, transformErrors: true) {
            (entity: Entity<[String: Any]>) in entity.content["why"] as? String
        }
        let error = await bench.error(of: .json(#"{"why": "because"}"#, status: 400))
        #expect(error?.text == "because")
        #expect(error?.httpStatusCode == 400)
    }

    // MARK: Responses without content

    @Test(arguments: [200, 201, 202, 204, 205, 299])
    func `A response that has no content is zero-length data, whatever its type claims`(status: Int) async {
        for contentType in ["application/json", "text/plain", "image/png"] {
            let content = await bench.content(of: .response(status, headers: ["Content-Type": contentType]))
            #expect(content as? Data == Data())
        }
    }

    @Test(arguments: [200, 201, 202, 204, 205, 299])
    func `A response that has no content skips conversions of content`(status: Int) async {
        bench.service.configureTransformer("/x") { (_: Entity<[String: Any]>) -> Int? in
            Issue.record("There is nothing to convert")
            return nil
        }
        #expect(await bench.content(of: .response(status)) as? Data == Data())
    }

    @Test func `A response that has no content goes through all other transformers`() async {
        bench.service.configure("/x") { $0.pipeline[.cleanup].add(Appending("!")) }
        #expect(await bench.content(of: .response(204)) as? String == "!")
    }

    @Test(arguments: RequestMethod.allCases)
    func `A success without a body is a success for every method, also where JSON is expected`(
        method: RequestMethod
    ) async throws {
        bench.service.configureTransformer("/x", atStage: .model) { (entity: Entity<[String: Any]>) in
            entity.content.count
        }
        let response = await bench.response(to: .json("", status: 201), method: method)
        #expect(try response.get().content as? Data == Data())
    }

    @Test func `A body that is not empty is converted, however small it is`() async {
        #expect(await bench.error(of: .json(" ", status: 201))?.userMessage == "Cannot parse server response")
        #expect(await bench.content(of: .text(" ")) as? String == " ")
    }

    @Test func `The empty body of an error is converted like every other`() async {
        bench.service.configureTransformer("/x", atStage: .model, transformErrors: true) { (entity: Entity<Data>) in
            entity.content.count
        }
        #expect(await bench.error(of: .response(400))?.entity?.content as? Int == 0)
    }

    @Test func `What a cache keeps of a success without a body skips conversions, too`() async throws {
        var pipeline = Pipeline()
        pipeline.add(.json)
        let entity = Entity<Any>(content: Data(), contentType: "application/json")
        #expect(try ResponseProcessing(pipeline).process(entity, after: 0).get().content as? Data == Data())
        let broken = Entity<Any>(content: Data("{".utf8), contentType: "application/json")
        #expect(throws: RequestError.self) { try ResponseProcessing(pipeline).process(broken, after: 0).get() }
    }

    // MARK: Methods

    @Test func `The responses to all methods go through the pipeline`() async {
        bench.service.configure("/x") { $0.pipeline[.cleanup].add(Appending("!")) }
        for method in RequestMethod.allCases {
            let body = method == .head ? "" : "x"
            let response = await bench.response(to: .text(body), method: method)
            #expect((try? response.get())?.content as? String == body + "!")
        }
    }
}
