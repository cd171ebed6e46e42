import Foundation
import LoopbackServer
import SiestaCore
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing

/// A task that is already cancelled sends nothing.
@MainActor @Suite(.timeLimit(.test))
struct CancelledTaskTests {
    /// The ways to send a request and to wait for its result.
    enum Way: CaseIterable {
        case bytes, post, lines, linesOfPost, value, response, content, fresh, typedLoad, typedFresh, unstarted
        case download, upload, form, emptyUpload
    }

    @MainActor
    private func send(_ way: Way, _ resource: Resource, _ folder: URL) async throws {
        let pieces = AsyncStream { continuation in
            continuation.yield(Data("x".utf8))
            continuation.finish()
        }
        switch way {
        case .bytes: for try await _ in resource.bytes {}
        case .post: for try await _ in resource.bytes(.post) {}
        case .lines: for try await _ in resource.lines {}
        case .linesOfPost: for try await _ in resource.bytes(.post).lines {}
        case .value: _ = try await resource.request(.post).value
        case .response: _ = try await resource.request(.post).response.response.get()
        case .content: _ = try await resource.request(.post, json: [1]).value.content(as: String.self)
        case .fresh: _ = try await resource.get()
        case .typedLoad: _ = try await resource.typed(as: String.self).get(.always)
        case .typedFresh: _ = try await resource.typed(as: String.self).get()
        case .unstarted: _ = try await resource.request(.post).repeated().value
        case .download: _ = try await resource.download(to: folder.appendingPathComponent("file")).value
        case .upload: _ = try await resource.request(.put, body: .stream(pieces)).value
        case .emptyUpload:
            _ = try await resource.request(.put, body: .stream(AsyncStream<Data> { $0.finish() }, length: 0)).value
        case .form: _ = try await resource.request(.post, body: .multipart(MultipartForm())).value
        }
    }

    @Test(arguments: Way.allCases)
    func `No way of sending and waiting sends anything in a task that is cancelled already`(_ way: Way) async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer { try $0.respond(headers: ["Content-Type: text/plain"], text: "x") }
        let resource = Service(baseURL: server.url()).resource("/")
        let gate = Gate()
        let task = Task {
            await gate.wait()
            try await send(way, resource, folder.url)
        }
        task.cancel()
        gate.open()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.cause is RequestError.Cause.RequestCancelled)
        #expect(!resource.isLoading)
        #expect(!resource.isRequesting)
        #expect(resource.latestError == nil)
        #expect(try folder.files == [])
        // If another request had been sent, it would arrive before the response to this one.
        _ = try await resource.service.resource("/last").load().value
        #expect(server.requests.map(\.target) == ["/last"])
    }

    @Test func `A second element that a cancelled task asks for is not there either, and sends nothing`() async throws {
        let server = try LoopbackServer { try $0.respond(text: "x") }
        let bytes = Service(baseURL: server.url()).resource("/").bytes(.post)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var iterator = bytes.makeAsyncIterator()
            let error = await #expect(throws: RequestError.self) { try await iterator.next() }
            #expect(error?.cause is RequestError.Cause.RequestCancelled)
            return try await iterator.next()
        }
        #expect(try await task.value == nil)
        #expect(server.connectionCount == 0)
    }

    @Test func `A request that another task has started goes on when a cancelled task starts it again`() async throws {
        let stub = StubbedResource()
        stub.network.answer(.get, "/thing", with: .held)
        let request = stub.resource.load()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            request.start()
        }
        await task.value
        #expect(request.state == .inProgress)
        try stub.exchange(0).respond(with: .text("x"))
        #expect(await request.completion().text == "x")
    }

    /// The ways to start a load, which others may share.
    enum SharedLoad: CaseIterable {
        case load, loadIfNeeded, loadUsing, ofObserver

        @MainActor func start(_ resource: Resource) {
            switch self {
            case .load: resource.load()
            case .loadIfNeeded: resource.loadIfNeeded()
            case .loadUsing:
                let operation = ManualOperation { $0.broadcastResponse(.text("x")) }
                resource.load(using: Resource.prepareRequest(using: operation))
            case .ofObserver:
                let other = resource.service.resource("/other")
                other.addObserver(owner: other) { _, event in
                    if case .newData = event { resource.load() }
                }
                other.overrideLocalContent(with: "changed")
                other.removeObservers(ownedBy: other)
            }
        }
    }

    @Test(arguments: SharedLoad.allCases, [false, true])
    func `A load that a cancelled task starts goes on`(_ way: SharedLoad, isDecorated: Bool) async {
        let stub = StubbedResource()
        if isDecorated {
            stub.network.answer(.post, "/session", with: .text("token"))
            stub.service.configure("/thing") {
                $0.decorateRequests { resource, request in
                    let login = resource.service.resource("/session").request(.post)
                    return login.chained { _ in .passTo(request.chained { _ in .useThisResponse }) }
                }
            }
        }
        stub.network.answer(.get, "/thing", with: .text("x"))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            way.start(stub.resource)
        }
        await task.value
        #expect(stub.resource.isLoading || stub.resource.text == "x")
        await stub.resource.loadRequests.first?.completion()
        #expect(stub.resource.text == "x")
        #expect(stub.resource.latestError == nil)
    }

    @Test
    func `A cancelled task does not wait for a load, which is cancelled unless somebody else wants it`() async throws {
        for isObserved in [false, true] {
            let stub = StubbedResource()
            let recorder = ObserverRecorder()
            if isObserved { stub.resource.addObserver(recorder) }
            stub.network.answer(.get, "/thing", with: .held)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await stub.resource.load().value
            }
            let error = await #expect(throws: RequestError.self) { try await task.value }
            #expect(error?.isCancellation == true)
            #expect(stub.resource.isLoading == isObserved)
            #expect(stub.resource.latestError == nil)
            if isObserved { try stub.exchange(0).respond(with: .text("x")) }
            await stub.resource.loadRequests.first?.completion()
            #expect(stub.resource.text == (isObserved ? "x" : ""))
        }
    }

    @Test func `What is there is returned without a request, in a cancelled task, too`() async throws {
        let stub = StubbedResource()
        await stub.load(.text("x"))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await stub.resource.typed(as: String.self).get()
        }
        #expect(try await task.value == "x")
        #expect(stub.network.requests.count == 1)
    }

    @Test func `Stale data that may be served is returned in a cancelled task, which does not renew it`() async throws {
        let stub = StubbedResource()
        stub.service.configure { $0.freshness = .http }
        await stub.load(.text("x", headers: ["Cache-Control": "max-age=10, stale-while-revalidate=20"]))
        stub.clock.advance(by: 15)
        let resource = stub.resource.typed(as: String.self)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await resource.get()
        }
        #expect(try await task.value == "x")
        #expect(!stub.resource.isLoading)
        #expect(stub.network.requests.count == 1)
        #expect(try await resource.get() == "x")
        await stub.resource.loadRequests.first?.completion()
        #expect(stub.network.requests.count == 2)
    }
}
