import Foundation
import Isolation
import LoopbackServer
import SiestaCore
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests that an async function of the app sends. ``ProviderConformanceTests`` test the rules for all providers.
@MainActor @Suite(.timeLimit(.test))
struct AsyncNetworkingProviderTests {
    private func service(
        _ send: @escaping @Sendable @concurrent (URLRequest) async throws -> (Data, HTTPURLResponse)
    ) -> Service {
        Service(baseURL: "https://api.test", networking: AsyncNetworkingProvider(send))
    }

    nonisolated private static func answer(
        _ request: URLRequest, _ text: String, status: Int = 200
    ) throws -> (Data, HTTPURLResponse) {
        let url = try #require(request.url)
        let headers = ["Content-Type": "text/plain"]
        let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: headers)
        return (Data(text.utf8), try #require(response))
    }

    @Test func `The function receives the request off the main actor, and its result is the response`() async throws {
        let api = service { request in
            #expect(!MainQueue.isCurrent)
            let body = String(decoding: request.httpBody ?? Data(), as: UTF8.self)
            return try Self.answer(request, "\(request.httpMethod ?? "") \(body)", status: 201)
        }
        let request = api.resource("/x").request(.post, text: "hello")
        let response = try await request.value
        #expect(response.status == 201)
        #expect(try response.content(as: String.self) == "POST hello")
    }

    @Test func `A status of 400 and more, and what the function throws, are errors`() async throws {
        struct Broken: Error {}
        let api = service { request in
            switch request.url?.path {
            case "/broken": throw Broken()
            case "/cancelled": throw CancellationError()
            default: return try Self.answer(request, "no", status: 404)
            }
        }
        let missing = await api.resource("/x").load().completion().failure
        #expect(missing?.httpStatusCode == 404)
        #expect(missing?.text == "no")
        #expect(await api.resource("/broken").load().completion().failure?.cause is Broken)
        #expect(await api.resource("/cancelled").load().completion().failure?.isCancellation == true)
    }

    @Test func `A cancelled request ends at once, its task is cancelled, and the late result is ignored`() async throws
    {
        let (started, cancelled, proceed, ended) = (Gate(), Gate(), Gate(), Gate())
        let provider = AsyncNetworkingProvider { request in
            defer { ended.open() }
            started.open()
            return try await withTaskCancellationHandler {
                await Task { await proceed.wait() }.value  // Ignores the cancellation.
                return try Self.answer(request, "late")
            } onCancel: {
                cancelled.open()
            }
        }
        let url = try #require(URL(string: "https://api.test/"))
        let answers = Locked<[(any Error)?]>([])
        let completed = Gate()
        let exchange = provider.startRequest(URLRequest(url: url)) { _, _, error in
            answers.withLock { $0.append(error) }
            completed.open()
        }
        await started.wait()
        exchange.cancel()
        await completed.wait()
        await cancelled.wait()
        proceed.open()
        await ended.wait()
        await Task.detached {}.value
        exchange.cancel()
        #expect(answers.withLock { $0.map { ($0 as? URLError)?.code } } == [.cancelled])
    }

    @Test func `The progress has the sizes of both bodies at the end, and the size of the request before`() async throws
    {
        let (proceed, completed) = (Gate(), Gate())
        let provider = AsyncNetworkingProvider { request in
            await proceed.wait()
            return try Self.answer(request, "hello")
        }
        var request = URLRequest(url: try #require(URL(string: "https://api.test/")))
        request.httpMethod = "PUT"
        request.httpBody = Data(count: 10)
        let exchange = provider.startRequest(request) { _, _, _ in completed.open() }
        #expect(
            exchange.transferMetrics
                == RequestTransferMetrics(
                    requestBytesSent: 0, requestBytesTotal: 10, responseBytesReceived: 0, responseBytesTotal: nil))
        proceed.open()
        await completed.wait()
        #expect(
            exchange.transferMetrics
                == RequestTransferMetrics(
                    requestBytesSent: 10, requestBytesTotal: 10, responseBytesReceived: 5, responseBytesTotal: 5))
        #expect(exchange.requestMetrics == nil)
    }

    @Test func `A large form arrives as a stream, and what needs streaming fails`() async throws {
        let api = service { request in
            try Self.answer(request, request.httpBody == nil && request.httpBodyStream != nil ? "stream" : "data")
        }
        var form = MultipartForm()
        form.append(Data(count: 2_000_000), name: "x")
        let large = api.resource("/x").request(.post, body: .multipart(form))
        #expect(try await large.value.content(as: String.self) == "stream")
        var iterator = api.resource("/x").bytes.makeAsyncIterator()
        let error = await #expect(throws: RequestError.self) { try await iterator.next() }
        #expect(error?.code == .streamingUnsupported)
    }

    #if os(Linux)
    /// True if this process has an open file without a name, such as the copy of a body.
    nonisolated private static var hasOpenCopy: Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.contains { name in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            return path.map { $0.contains("/siesta-") && $0.hasSuffix(" (deleted)") } ?? false
        }
    }

    @Test func `A stream that is opened after a cancellation has the bytes of its own request`() async throws {
        let (folder, content) = (try TemporaryFolder(), Data(repeating: 1, count: 2 << 20))
        let (started, proceed, ended, count) = (Gate(), Gate(), Gate(), Locked(0))
        let api = service { request in
            defer { ended.open() }
            started.open()
            await Task { await proceed.wait() }.value  // Ignores the cancellation.
            let stream = try #require(request.httpBodyStream)
            stream.open()
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            while case let length = stream.read(&bytes, maxLength: bytes.count), length > 0 {
                count.withLock { $0 += length }
            }
            throw URLError(.cancelled)
        }
        var form = MultipartForm()
        form.append(file: try folder.file("part", content), name: "file")
        let request = api.resource("/x").request(.post, body: .multipart(form))
        await started.wait()
        request.cancel()
        // Without the reference of the stream, the copy would be closed during these turns.
        for _ in 0..<100 where Self.hasOpenCopy { await Task.yield() }
        proceed.open()
        await ended.wait()
        #expect(count.withLock { $0 } > content.count)
    }
    #endif

    @Test func `A request that has ended keeps neither the function's task nor the completion`() async throws {
        final class Token: Sendable {}
        weak var released: Token?
        let completed = Gate()
        let provider = AsyncNetworkingProvider { try Self.answer($0, "x") }
        let exchange: any RequestNetworking
        do {
            let token = Token()
            released = token
            let url = try #require(URL(string: "https://api.test/"))
            exchange = provider.startRequest(URLRequest(url: url)) { [token] _, _, _ in
                withExtendedLifetime(token) { completed.open() }
            }
        }
        await completed.wait()
        try await Poll.until { released == nil }
        withExtendedLifetime(exchange) {}
    }
}
