import Foundation
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing
import Waiting

import SiestaRetrying
@testable import SiestaCore
@testable import SiestaNetworking
@testable import SiestaSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Each purpose of an exchange with each of its concerns. A request for a credential has none of them.
@MainActor @Suite(.timeLimit(.test))
struct ExchangeMatrixTests {
    /// A request of an app.
    nonisolated enum Purpose: CaseIterable {
        case load, request, write, upload, download, bytes, lines, token
    }

    nonisolated static let resourceful = Purpose.allCases.filter { $0 != .token }

    private let clock = TestClock()
    private let network = ScriptedNetwork()
    private let status = NetworkStatus()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func service(_ configure: @escaping (inout Configuration) -> Void = { _ in }) -> Service {
        clock.jitter = 1
        let service = clock.whileCurrent {
            Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
        }
        service.networkStatus = status
        service.configure(configurer: configure)
        return service
    }

    /// A request that is running.
    private struct Running {
        let result: Task<Result<Void, any Error>, Never>
        let cancel: @MainActor () -> Void

        @MainActor
        init(_ request: any Request) {
            result = Task { await request.completion().response.map { _ in }.mapError { $0 } }
            cancel = { request.cancel() }
        }

        init(_ work: @escaping @MainActor () async throws -> Void) {
            let result = Task { @MainActor in
                do { return try Result<Void, any Error>.success(await work()) } catch { return .failure(error) }
            }
            (self.result, cancel) = (result, { result.cancel() })
        }
    }

    private func start(_ purpose: Purpose, of service: Service) -> Running {
        let resource = service.resource("/thing")
        switch purpose {
        case .load: return Running(resource.load())
        case .request: return Running(resource.request(.get))
        case .write: return Running(resource.request(.put, text: "x"))
        case .upload:
            var form = MultipartForm()
            form.append("x", name: "x")
            return Running(resource.request(.put, body: .multipart(form)))
        case .download: return Running(resource.download(to: folder.url.appendingPathComponent("file")))
        case .bytes: return Running { for try await _ in resource.bytes {} }
        case .lines: return Running { for try await _ in resource.lines {} }
        case .token:
            let tokens = service.context.authenticationNetwork
            let request = URLRequest(url: resource.url)
            return Running { if try await tokens.send(request).status >= 400 { throw URLError(.badServerResponse) } }
        }
    }

    /// Waits until a number of requests was sent.
    private func sent(_ count: Int) async throws {
        try await Poll.until { network.requests.count >= count }
    }

    /// Passes time until a number of requests was sent.
    private func sent(_ count: Int, passing seconds: TimeInterval) async throws {
        for _ in 0..<Int(seconds * 20) where network.requests.count < count {
            clock.advance(by: 0.05)
            for _ in 0..<20 where network.requests.count < count { await mainQueueTurn() }
        }
        try await sent(count)
    }

    // MARK: Retries

    @Test(arguments: Purpose.allCases)
    func `A failure is retried`(_ purpose: Purpose) async throws {
        let service = service { $0.retry = .standard }
        network.answers = [.status(503), .status(200)]
        let running = start(purpose, of: service)
        try await sent(1)
        guard purpose != .token else {
            await #expect(throws: (any Error).self) { try await running.result.value.get() }
            #expect(network.requests.count == 1)
            return
        }
        try await sent(2, passing: 10)
        try await running.result.value.get()
    }

    @Test(arguments: Purpose.allCases)
    func `Without a policy, a failure is not retried`(_ purpose: Purpose) async throws {
        network.answers = [.status(503)]
        let running = start(purpose, of: service())
        await #expect(throws: (any Error).self) { try await running.result.value.get() }
        #expect(network.requests.count == 1)
    }

    // MARK: The network

    @Test(arguments: Purpose.allCases)
    func `A request waits for the network`(_ purpose: Purpose) async throws {
        let service = service { $0.offline = .wait(upTo: 600) }
        status.isConnected = false
        network.answers = [.failure(.notConnectedToInternet), .status(200)]
        let running = start(purpose, of: service)
        try await sent(1)
        guard purpose != .token else {
            await #expect(throws: (any Error).self) { try await running.result.value.get() }
            return
        }
        for _ in 0..<50 { await mainQueueTurn() }
        #expect(network.requests.count == 1)
        status.isConnected = true
        try await sent(2, passing: 10)
        try await running.result.value.get()
    }

    // MARK: Pacing

    @Test(arguments: Purpose.allCases)
    func `A request waits for its turn`(_ purpose: Purpose) async throws {
        let service = service { $0.pacing = Pacing(concurrentRequests: 1) }
        network.answers = [.held, .status(200)]
        let blocker = service.resource("/blocker").load()
        try await sent(1)
        let running = start(purpose, of: service)
        guard purpose != .token else {
            try await running.result.value.get()
            #expect(network.requests.count == 2)
            return
        }
        for _ in 0..<50 { await mainQueueTurn() }
        #expect(network.requests.count == 1)
        blocker.cancel()
        try await sent(2)
        try await running.result.value.get()
    }

    // MARK: Credentials

    @Test(arguments: Purpose.allCases)
    func `A refused credential is refreshed once, and the request is sent again`(_ purpose: Purpose) async throws {
        let authenticator = ManualAuthenticator()
        let service = service()
        service.authenticate(with: authenticator)
        try await service.signIn("ada", with: Credential("old"))
        authenticator.automatic = { _, _ in Credential("new") }
        network.answers = [.status(401), .status(200)]
        let running = start(purpose, of: service)
        try await sent(1)
        guard purpose != .token else {
            await #expect(throws: (any Error).self) { try await running.result.value.get() }
            #expect(network.credentials == [nil])
            return
        }
        try await running.result.value.get()
        #expect(network.credentials == ["Bearer old", "Bearer new"])
    }

    @Test(arguments: resourceful)
    func `A retry and a refresh are independent`(_ purpose: Purpose) async throws {
        let authenticator = ManualAuthenticator()
        let service = service {
            $0.retry = .standard
            $0.pacing = Pacing(concurrentRequests: 1)
        }
        service.authenticate(with: authenticator)
        try await service.signIn("ada", with: Credential("old"))
        authenticator.automatic = { _, _ in Credential("new") }
        network.answers = [.status(503), .status(401), .status(503), .status(200)]
        let running = start(purpose, of: service)
        try await sent(4, passing: 30)
        try await running.result.value.get()
        #expect(network.credentials == ["Bearer old", "Bearer old", "Bearer new", "Bearer new"])
    }

    @Test func `After a refresh, a request waits for its turn again`() async throws {
        let authenticator = ManualAuthenticator()
        let service = service { $0.pacing = Pacing(concurrentRequests: 1) }
        service.authenticate(with: authenticator)
        try await service.signIn("ada", with: Credential("old"))
        network.answers = [.status(401), .held, .status(200)]
        let running = start(.load, of: service)
        try await sent(1)
        try await Poll.until { authenticator.openCount == 1 }
        let other = service.resource("/other").request(.get)  // It takes the place of the refused request.
        for _ in 0..<50 { await mainQueueTurn() }
        authenticator.end(.success(Credential("new")))
        try await sent(2)
        for _ in 0..<50 { await mainQueueTurn() }
        #expect(network.requests.map { $0.url?.lastPathComponent } == ["thing", "other"])
        other.cancel()
        try await sent(3)
        try await running.result.value.get()
    }

    // MARK: Traces

    @Test(arguments: Purpose.allCases)
    func `Each attempt carries a trace context`(_ purpose: Purpose) async throws {
        let service = service {
            $0.retry = .standard
            $0.sendsTraceContext = true
        }
        network.answers = purpose == .token ? [.status(200)] : [.status(503), .status(200)]
        let running = start(purpose, of: service)
        if purpose != .token { try await sent(2, passing: 10) }
        try await running.result.value.get()
        let traces = network.requests.map { $0.value(forHTTPHeaderField: "traceparent") }
        if purpose == .token {
            #expect(traces == [nil])
        } else {
            #expect(Set(traces).count == 2)
            #expect(Set(traces.map { $0?.dropFirst(3).prefix(32) }).count == 1, "All attempts belong to one trace")
        }
    }

    // MARK: Ends

    @Test(arguments: Purpose.allCases, [false, true])
    func `A request that takes too long is stopped`(_ purpose: Purpose, _ isWaiting: Bool) async throws {
        let service = service {
            $0.timeLimit = 5
            guard isWaiting else { return }
            $0.retry = .standard
            $0.retry.firstDelay = 100
            $0.retry.delayLimit = 100
        }
        network.answers = [isWaiting ? .status(503) : .held]
        let running = start(purpose, of: service)
        try await sent(1)
        if isWaiting, purpose != .token { try await clock.waitForTimers(2) }
        clock.advance(by: 5)
        guard purpose != .token else {
            running.cancel()
            _ = await running.result.value
            return
        }
        let error = await running.result.value.failure as? RequestError
        #expect(error?.code == .timeLimitExceeded)
        #expect(error?.requestURL == service.resource("/thing").url)
        #expect(network.requests.count == 1)
        try await Poll.until { network.runningCount == 0 }
    }

    @Test(arguments: Purpose.allCases)
    func `A response before the limit counts`(_ purpose: Purpose) async throws {
        let service = service { $0.timeLimit = 5 }
        network.answers = [.status(200)]
        let running = start(purpose, of: service)
        try await running.result.value.get()
        clock.advance(by: 10)
        await mainQueueTurn()
    }

    @Test(arguments: Purpose.allCases)
    func `A cancelled request ends, and so does its exchange`(_ purpose: Purpose) async throws {
        network.answers = [.held]
        let running = start(purpose, of: service { $0.retry = .standard })
        try await sent(1)
        running.cancel()
        #expect(isCancellation(await running.result.value.failure))
        try await Poll.until { network.runningCount == 0 }
        #expect(network.requests.count == 1)
    }

    @Test(arguments: resourceful)
    func `A wipe with the caches ends a request`(_ purpose: Purpose) async throws {
        let service = service { $0.retry = .standard }
        network.answers = [.held]
        let running = start(purpose, of: service)
        try await sent(1)
        service.wipeResources(includingCaches: true)
        #expect(isCancellation(await running.result.value.failure))
        try await Poll.until { network.runningCount == 0 }
    }

    @Test(arguments: resourceful)
    func `A request ends when its user signs out`(_ purpose: Purpose) async throws {
        let service = service { $0.retry = .standard }
        service.authenticate(with: ManualAuthenticator())
        try await service.signIn("ada", with: Credential("a"))
        network.answers = [.held]
        let running = start(purpose, of: service)
        try await sent(1)
        await service.signOut()
        #expect(isCancellation(await running.result.value.failure))
        try await Poll.until { network.runningCount == 0 }
        #expect(network.requests.count == 1)
    }

    private func isCancellation(_ error: (any Error)?) -> Bool {
        (error as? RequestError)?.isCancellation == true
    }
}

/// A network that can stream, and that answers requests in order.
@MainActor
private final class ScriptedNetwork: nonisolated StreamingNetworkingProvider {
    enum Answer {
        case status(Int)
        case failure(URLError.Code)
        /// The request runs until it is cancelled.
        case held
    }

    var answers: [Answer] = []
    private(set) var requests: [URLRequest] = []
    private(set) var runningCount = 0

    var credentials: [String?] { requests.map { $0.value(forHTTPHeaderField: "Authorization") } }

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        startRequest(request, body: nil, receiver: nil, completion: completion)
    }

    func startRequest(
        _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        requests.append(request)
        runningCount += 1
        let answer = answers.isEmpty ? .failure(.cannotConnectToHost) : answers.removeFirst()
        let running = Running { response, body, error in
            completion(response, body, error)
            Task { @MainActor in self.runningCount -= 1 }
        }
        switch answer {
        case .held: break
        case .failure(let code): running.end(nil, nil, URLError(code))
        case .status(let status):
            let response = request.url.flatMap {
                HTTPURLResponse(url: $0, statusCode: status, httpVersion: nil, headerFields: ["Content-Length": "4"])
            }
            running.answer(response, Data("body".utf8), receiver)
        }
        return running
    }

    @MainActor
    private final class Running: nonisolated RequestNetworking {
        private var completion: RequestNetworkingCompletionCallback?

        init(_ completion: @escaping RequestNetworkingCompletionCallback) {
            self.completion = completion
        }

        func end(_ response: HTTPURLResponse?, _ body: Data?, _ error: (any Error)?) {
            completion?(response, body, error)
            completion = nil
        }

        func answer(_ response: HTTPURLResponse?, _ body: Data, _ receiver: (any ResponseReceiver)?) {
            guard let receiver, let response else { return end(response, body, nil) }
            Task {
                do {
                    try await receiver.begin(response)
                    try await receiver.receive(body)
                    end(response, nil, nil)
                } catch {
                    end(nil, nil, error)
                }
            }
        }

        func cancel() { end(nil, nil, URLError(.cancelled)) }

        var transferMetrics: RequestTransferMetrics { .nothing }
    }
}
