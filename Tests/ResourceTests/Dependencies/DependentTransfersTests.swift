import Foundation
import LoopbackServer
import SiestaCore
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes by streams, uploads and downloads with unsafe methods.
@MainActor @Suite(.timeLimit(.test))
struct DependentTransfersTests {
    private let folder: TemporaryFolder
    private let recorder = ObserverRecorder()
    /// Opens when the server has received a write that it does not answer.
    private let arrived = Gate()

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns a resource with fresh data, and its server. The server answers writes with `status`; never if it is nil.
    private func start(_ status: Int?) async throws -> (users: Resource, server: LoopbackServer) {
        let arrived = arrived
        let server = try LoopbackServer { exchange in
            guard exchange.request.method == "POST" else { return try exchange.respond(text: "users") }
            guard let status else {
                arrived.open()
                return exchange.waitForDisconnect()
            }
            try exchange.respond(status, text: "x")
        }
        let service = Service(baseURL: server.url(), networking: NetworkingKind.platform.networking)
        service.configure {
            $0.tags = ["users"]
            $0.expirationTime = 1000
        }
        service.configure("**", requestMethods: [.post]) { $0.invalidates = ["users"] }
        let users = service.resource("/users")
        await users.load().completion()
        #expect(users.isUpToDate)
        return (users, server)
    }

    private func waitUntilStale(_ resource: Resource) async {
        for await state in resource.states where state.isStale { return }
    }

    private func read(_ bytes: ResponseBytes) async throws {
        for try await _ in bytes {}
    }

    // MARK: Streams

    @Test func `A stream with an unsafe method is a write`() async throws {
        let (users, server) = try await start(200)
        try await read(users.bytes)
        #expect(users.isUpToDate)
        try await read(users.bytes(.post))
        #expect(users.isStale)
        #expect(server.requests.count == 3)
    }

    @Test(arguments: [true, false])
    func `An error of another resource to which a 303 has led does not refuse a write`(_ isStream: Bool) async throws {
        let server = try LoopbackServer { exchange in
            switch (exchange.request.method, exchange.request.target) {
            case ("POST", _): try exchange.respond(303, headers: ["Location: /gone"])
            case (_, "/gone"): try exchange.respond(404, text: "x")
            default: try exchange.respond(text: "users")
            }
        }
        let service = Service(baseURL: server.url(), networking: NetworkingKind.platform.networking)
        service.configure { ($0.tags, $0.expirationTime) = (["users"], 1000) }
        service.configure("**", requestMethods: [.post]) { $0.invalidates = ["users"] }
        let users = service.resource("/users")
        await users.load().completion()
        if isStream {
            try? await read(users.bytes(.post))
        } else {
            let file = folder.url.appendingPathComponent("file")
            _ = await users.download(to: file) { $0.httpMethod = "POST" }.completion()
        }
        #expect(users.isStale)
        withExtendedLifetime(server) {}
    }

    @Test func `The end of a stream loads observed resources`() async throws {
        let (users, server) = try await start(200)
        users.addObserver(recorder)
        try await read(users.bytes(.post))
        await users.loadIfNeeded()?.completion()
        #expect(users.isUpToDate)
        #expect(server.requests.map(\.method) == ["GET", "POST", "GET"])
    }

    @Test(arguments: [(404, false), (503, true)])
    func `A stream that fails is a write unless the server has refused it`(
        _ status: Int, _ isWrite: Bool
    ) async throws {
        let (users, server) = try await start(status)
        users.addObserver(recorder)
        await #expect(throws: RequestError.self) { try await read(users.bytes(.post)) }
        #expect(users.isStale == isWrite)
        #expect(!users.isLoading)
        #expect(server.requests.count == 2)
    }

    @Test func `A stream that is cancelled after it was sent has an unknown outcome`() async throws {
        let (users, server) = try await start(nil)
        let task = Task { try await read(users.bytes(.post)) }
        await arrived.wait()
        #expect(users.isUpToDate)
        task.cancel()
        await waitUntilStale(users)
        #expect(!users.isLoading)
        #expect(server.requests.count == 2)
    }

    // MARK: Uploads

    @Test(arguments: [(200, true), (413, false), (500, true)])
    func `All kinds of uploads are writes`(_ status: Int, _ isWrite: Bool) async throws {
        let file = try folder.file("a", Data("a".utf8))
        var form = MultipartForm()
        form.append("a", name: "b")
        for kind in 0..<3 {
            let (users, server) = try await start(status)
            switch kind {
            case 0: await users.request(.post, body: .file(file)).completion()
            case 1: await users.request(.post, body: .multipart(form)).completion()
            default: await users.request(.post, body: .stream(AsyncStream<Data> { $0.finish() })).completion()
            }
            #expect(users.isStale == isWrite, "\(kind)")
            #expect(server.requests.count == 2, "\(kind)")
        }
    }

    @Test func `An upload that is cancelled after it was sent has an unknown outcome`() async throws {
        let (users, server) = try await start(nil)
        let upload = users.request(.post, body: .file(try folder.file("a", Data("a".utf8))))
        await arrived.wait()
        #expect(users.isUpToDate)
        upload.cancel()
        #expect(users.isStale)
        #expect(server.requests.count == 2)
    }

    // MARK: Downloads

    private func download(_ users: Resource, to name: String = "file") -> any Request {
        users.download(to: folder.url.appendingPathComponent(name)) { $0.httpMethod = "POST" }
    }

    @Test(arguments: [(200, true), (409, false), (500, true)])
    func `A download with an unsafe method is a write`(_ status: Int, _ isWrite: Bool) async throws {
        let (users, server) = try await start(status)
        await users.download(to: folder.url.appendingPathComponent("other")).completion()
        #expect(users.isUpToDate)
        let isFailure = await download(users).completion().failure != nil
        #expect(isFailure == (status >= 400))
        #expect(users.isStale == isWrite)
        #expect(server.requests.count == 3)
    }

    @Test func `A download that is cancelled after it was sent has an unknown outcome`() async throws {
        let (users, server) = try await start(nil)
        users.addObserver(recorder)
        let download = download(users)
        await arrived.wait()
        #expect(users.isUpToDate)
        download.cancel()
        #expect(users.isStale)
        #expect(!users.isLoading)
        #expect(server.requests.count == 2)
    }

    @Test func `A download that was never sent changes nothing`() async throws {
        let (users, server) = try await start(200)
        #expect(await download(users, to: "missing/file").completion().failure != nil)
        download(users).cancel()
        #expect(users.isUpToDate)
        #expect(server.requests.count == 1)
    }
}
