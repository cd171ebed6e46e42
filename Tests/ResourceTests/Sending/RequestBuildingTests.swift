import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The construction of a request from headers and mutations, and the method that selects each of them.
@MainActor @Suite(.timeLimit(.test))
struct RequestBuildingTests {
    private let stub = StubbedResource()
    private var resource: Resource { stub.resource }

    @Test(arguments: RequestMethod.allCases)
    func `Each method is sent in upper case`(_ method: RequestMethod) throws {
        _ = resource.request(method)
        #expect(try stub.lastRequest.httpMethod == method.rawValue.uppercased())
        #expect(try stub.lastRequest.url == resource.url)
        #expect(try stub.lastRequest.httpBody == nil)
    }

    @Test(arguments: RequestMethod.allCases)
    func `request() changes no state, tells no observer, and is in allRequests until done`(_ method: RequestMethod)
        async throws
    {
        let recorder = ObserverRecorder()
        resource.addObserver(recorder)
        stub.network.handler = { _ in .held }
        let request = resource.request(method)
        #expect(resource.isRequesting)
        #expect(!resource.isLoading)
        #expect(resource.allRequests.map(ObjectIdentifier.init) == [ObjectIdentifier(request)])
        try stub.exchange(0).respond(with: .text("hello"))
        await request.completion()
        #expect(!resource.isRequesting)
        #expect(resource.latestData == nil)
        #expect(resource.timestamp == 0)
        #expect(recorder.events == [.observerAdded])
    }

    @Test func `A failed request() is not the resource's error`() async {
        stub.network.answer(.get, "/thing", with: .response(500))
        await resource.request(.get).completion()
        #expect(resource.latestError == nil)
    }

    @Test
    func `Configured headers come first, then the caller's mutation, then the configured mutations in order`() throws {
        stub.service.configure {
            $0.headers["X-Step"] = "headers"
            $0.mutateRequests { $0.append("first") }
        }
        stub.service.configure { $0.mutateRequests { $0.append("second") } }
        _ = resource.request(.get) { $0.append("caller") }
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "X-Step") == "headers caller first second")
    }

    @Test func `The configured mutations apply to loads, too`() throws {
        stub.service.configure { $0.mutateRequests { $0.append("load") } }
        resource.load()
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "X-Step") == "load")
    }

    @Test func `A mutation sees and may change everything: URL, method, body, time limit`() throws {
        _ = resource.request(.post, text: "body") { request in
            #expect(request.httpMethod == "POST")
            #expect(request.httpBody == Data("body".utf8))
            request.url = URL(string: "https://elsewhere.test/")
            request.httpMethod = "PATCH"
            request.timeoutInterval = 5
            request.httpBody = nil
        }
        let request = try stub.lastRequest
        #expect(request.url?.absoluteString == "https://elsewhere.test/")
        #expect(request.httpMethod == "PATCH")
        #expect(request.timeoutInterval == 5)
        #expect(request.httpBody == nil)
    }

    @Test func `The method before mutation picks headers and mutations`() throws {
        stub.service.configure(requestMethods: [.post]) { configuration in
            configuration.headers["X-From"] = "post"
            configuration.mutateRequests { $0.append("post") }
        }
        stub.service.configure(requestMethods: [.put]) { configuration in
            configuration.headers["X-From"] = "put"
            configuration.mutateRequests { $0.append("put") }
        }
        _ = resource.request(.post) { $0.httpMethod = "PUT" }
        let request = try stub.lastRequest
        #expect(request.httpMethod == "PUT")
        #expect(request.value(forHTTPHeaderField: "X-From") == "post")
        #expect(request.value(forHTTPHeaderField: "X-Step") == "post")
    }

    @Test(arguments: ["PUT", "put"], [true, false])
    func `The method after mutation picks pipeline and decorators, whoever changed it and however it is written`(
        _ method: String, _ isConfigured: Bool
    ) async {
        var decorated: [String] = []
        for (name, requestMethod) in [("post", RequestMethod.post), ("put", .put)] {
            stub.service.configureTransformer("/thing", requestMethods: [requestMethod]) { (entity: Entity<String>) in
                "\(entity.content) for \(name)"
            }
            stub.service.configure(requestMethods: [requestMethod]) { configuration in
                configuration.decorateRequests { _, request in
                    decorated.append(name)
                    return request
                }
                if isConfigured { configuration.mutateRequests { $0.httpMethod = method } }
            }
        }
        stub.network.handler = { _ in .text("hello") }
        let info = await resource.request(.post) { if !isConfigured { $0.httpMethod = method } }.completion()
        #expect(info.text == "hello for put")
        #expect(decorated == ["put"])
    }

    @Test(arguments: ["FLARGLE", "QUERY"])
    func `An unknown method is treated as get`(_ method: String) async throws {
        stub.service.configureTransformer("/thing", requestMethods: [.get]) { (entity: Entity<String>) in
            "\(entity.content) for get"
        }
        stub.network.handler = { _ in .text("hello") }
        let info = await resource.request(.post) { $0.httpMethod = method }.completion()
        #expect(try stub.lastRequest.httpMethod == method)
        #expect(info.text == "hello for get")
    }

    @Test(arguments: ["REPORT", "Query"])
    func `request(method:) sends any method as it is written, with the configuration of get`(_ method: String)
        async throws
    {
        stub.service.configure(requestMethods: [.get]) { $0.headers["X-From"] = "get" }
        stub.network.handler = { _ in .text("hello") }
        let request = resource.request(method: method) { $0.httpBody = Data("body".utf8) }
        #expect(resource.isRequesting)
        #expect(await request.completion().text == "hello")
        #expect(try stub.lastRequest.httpMethod == method)
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "X-From") == "get")
        #expect(try stub.lastRequest.httpBody == Data("body".utf8))
        #expect(resource.latestData == nil)
    }

    @Test(arguments: ["", "GET /\r\nHost: x", "RÉPORT", "A B"])
    func `A method that is no token fails, and nothing is sent`(_ method: String) async {
        let error = await resource.request(method: method).completion().failure
        #expect(error?.code == .invalidMethod)
        #expect(stub.network.requests.isEmpty)
        #expect(!resource.isRequesting)
    }

    @Test func `A mutation that takes the URL away makes the request fail, and nothing is sent`() async {
        let error = await resource.request(.get) { $0.url = nil }.completion().failure
        #expect(error?.cause is RequestError.Cause.InvalidURL)
        #expect(stub.network.requests.isEmpty)
    }

    @Test func `A request keeps the configuration that it was made with`() async throws {
        stub.network.answer(.get, "/thing", with: .held)
        let load = resource.load()
        stub.service.configureTransformer("/thing") { (entity: Entity<String>) in entity.content.uppercased() }
        try stub.exchange(0).respond(with: .text("hello"))
        #expect(await load.completion().text == "hello")
        stub.network.answer(.get, "/thing", with: .text("hello"))
        #expect(await resource.load().completion().text == "HELLO")
    }
}

extension URLRequest {
    /// Appends a step to a header.
    fileprivate mutating func append(_ step: String) {
        setValue(
            [value(forHTTPHeaderField: "X-Step"), step].compactMap { $0 }.joined(separator: " "),
            forHTTPHeaderField: "X-Step")
    }
}
