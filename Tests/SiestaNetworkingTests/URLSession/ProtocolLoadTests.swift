#if os(Linux)
import Foundation
import FoundationNetworking
import Isolation
import LoopbackServer
import TestDoubles
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

/// Protocol classes that break the rules, as mocks in apps do. A session would end the process, so each case runs in a
/// separate process.
@MainActor @Suite(.serialized, .timeLimit(.test))  // the script of the protocol is global
struct ProtocolLoadTests {
    @Test func `A protocol may call its client after it was stopped, from any thread, and the process goes on`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            for call in UnrulyProtocol.Call.allCases {
                try await ProtocolLoadTests.call(call, afterStopOnOtherThread: false)
                try await ProtocolLoadTests.call(call, afterStopOnOtherThread: true)
            }
            exit(7)
        }
    }

    private static func call(_ call: UnrulyProtocol.Call, afterStopOnOtherThread isOnOtherThread: Bool) async throws {
        let script = UnrulyProtocol.begin { load in
            load.onStop = { load.perform([call, call, .finish, .fail, call], isOnOtherThread) }
        }
        let started = start()
        await script.isLoading.wait()
        started.networking.cancel()
        #expect(try await started.answer.errorCode == .cancelled)
        await script.isOver.wait()
        #expect(started.completionCount == 1)
    }

    @Test func `A protocol may end more than once, and go on after its end, and the process goes on`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            for end in [UnrulyProtocol.Call.finish, .fail] {
                try await ProtocolLoadTests.end(with: end, onOtherThread: false)
                try await ProtocolLoadTests.end(with: end, onOtherThread: true)
            }
            exit(7)
        }
    }

    private static func end(with end: UnrulyProtocol.Call, onOtherThread isOnOtherThread: Bool) async throws {
        let script = UnrulyProtocol.begin { load in
            load.perform([.response, .data, .data, end, end, .data, .response, .fail, .finish], isOnOtherThread)
        }
        let started = start()
        let answer = try await started.answer
        #expect(answer.text == (end == .finish ? "xx" : ""))
        #expect((answer.errorCode != nil) == (end == .fail))
        await script.isOver.wait()
        #expect(started.completionCount == 1)
    }

    @Test func `Loads that are cancelled while their protocol reports end once each`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let provider = await ProtocolLoadTests.provider()
            for index in 0..<500 { try await ProtocolLoadTests.race(isCancelled: index % 3 > 0, with: provider) }
            exit(7)
        }
    }

    private static func race(isCancelled: Bool, with provider: SessionConfigurationProvider) async throws {
        let script = UnrulyProtocol.begin { $0.perform([.response, .data, .data, .finish, .finish], true) }
        let started = StartedRequest(UnrulyProtocol.url, with: provider)
        await script.isLoading.wait()
        if isCancelled { started.networking.cancel() }
        let answer = try await started.answer
        #expect(answer.error == nil ? answer.text == "xx" : isCancelled && answer.errorCode == .cancelled)
        await script.isOver.wait()
        #expect(started.completionCount == 1)
    }

    @Test func `A protocol is stopped once, when its request is cancelled, and not after its end`() async throws {
        let stopped = Gate()
        let script = UnrulyProtocol.begin { load in load.onStop = { stopped.open() } }
        let started = Self.start()
        await script.isLoading.wait()
        started.networking.cancel()
        started.networking.cancel()
        await stopped.wait()
        let finished = UnrulyProtocol.begin { load in
            load.onStop = { Issue.record("It was over") }
            load.perform([.response, .finish], false)
        }
        let second = Self.start()
        #expect(try await second.answer.status == 200)
        second.networking.cancel()
        await finished.isOver.wait()
    }

    @Test(arguments: [false, true])
    func `An error of the protocol's own is the cause of the failure, and its description the message`(
        isLate: Bool
    ) async throws {
        let error = NSError(domain: "Tunnel", code: 42, userInfo: [NSLocalizedDescriptionKey: "The tunnel is closed."])
        let failure = try await Self.failure(with: error, afterResponse: isLate)
        let cause = try #require(failure.cause as NSError?)
        #expect(cause.domain == "Tunnel")
        #expect(cause.code == 42)
        #expect(failure.userMessage == "The tunnel is closed.")
        #expect(failure.httpStatusCode == nil)
    }

    @Test func `An error in Swift is the cause unchanged`() async throws {
        let failure = try await Self.failure(with: TunnelError(depth: 3), afterResponse: false)
        #expect((failure.cause as? TunnelError)?.depth == 3)
        #expect(failure.userMessage == "3 metres are too deep.")
    }

    @Test(arguments: [URLError.Code.badServerResponse, .unsupportedURL, .unknown, .timedOut])
    func `A URL error of the protocol keeps its code and its description`(code: URLError.Code) async throws {
        let plain = try await Self.failure(with: URLError(code), afterResponse: true)
        #expect((plain.cause as? URLError)?.code == code)
        let described = URLError(code, userInfo: [NSLocalizedDescriptionKey: "No way"])
        #expect(try await Self.failure(with: described, afterResponse: false).userMessage == "No way")
    }

    private static func failure(with error: any Error, afterResponse isLate: Bool) async throws -> RequestError {
        _ = UnrulyProtocol.begin { load in
            if isLate { load.perform([.response], false) }
            load.fail(with: error)
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [UnrulyProtocol.self]
        let service = Service(networking: configuration)
        let resource = service.resource(absoluteURL: UnrulyProtocol.url)
        let info = await withCheckedContinuation { continuation in
            _ = resource.load().onCompletion { continuation.resume(returning: UncheckedSendable($0)) }
        }
        return try #require(info.value.failure)
    }

    @Test func `A redirect that a protocol reports is followed by the rules of all redirects`() async throws {
        let server = try LoopbackServer { try $0.respond(text: "real") }
        let target = server.url("/next").absoluteString
        _ = UnrulyProtocol.begin { load in load.redirect(to: target) }
        #expect(try await Self.start().answer.text == "real")
        #expect(server.requests.map(\.target) == ["/next"])
    }

    @Test func `Requests that no protocol of the app takes go over the network`() async throws {
        let server = try LoopbackServer { try $0.respond(text: "real") }
        #expect(try await Self.provider().answer(server.url()).text == "real")
    }

    private static func provider() -> SessionConfigurationProvider {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [UnrulyProtocol.self] + (configuration.protocolClasses ?? [])
        return SessionConfigurationProvider(configuration)
    }

    private static func start() -> StartedRequest {
        StartedRequest(UnrulyProtocol.url, with: provider())
    }
}

private struct TunnelError: LocalizedError {
    let depth: Int
    var errorDescription: String? { "\(depth) metres are too deep." }
}

/// A protocol class that performs the calls of the current script.
private final class UnrulyProtocol: URLProtocol {
    /// A call to the client.
    enum Call: CaseIterable {
        case response, data, finish, fail
    }

    final class Script: Sendable {
        let isLoading = Gate()
        let isOver = Gate()
        let run: @Sendable (UnrulyProtocol) -> Void

        init(_ run: @escaping @Sendable (UnrulyProtocol) -> Void) {
            self.run = run
        }
    }

    static let url = URL(string: "unruly://a.test/") ?? URL(filePath: "/")
    private static let next = Locked<Script?>(nil)

    var onStop: () -> Void = {}
    private var script: Script?

    static func begin(_ run: @escaping @Sendable (UnrulyProtocol) -> Void) -> Script {
        let script = Script(run)
        next.withLock { $0 = script }
        return script
    }

    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "unruly" }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        script = Self.next.withLock { $0.take() }
        script?.run(self)
        script?.isLoading.open()
    }

    override func stopLoading() { onStop() }

    func perform(_ calls: [Call], _ isOnOtherThread: Bool) {
        guard isOnOtherThread else { return perform(calls) }
        let unruly = UncheckedSendable(self)
        Thread { unruly.value.perform(calls) }.start()
    }

    private func perform(_ calls: [Call]) {
        for call in calls {
            switch call {
            case .response: respond(200, [:])
            case .data: client?.urlProtocol(self, didLoad: Data("x".utf8))
            case .finish: client?.urlProtocolDidFinishLoading(self)
            case .fail: client?.urlProtocol(self, didFailWithError: URLError(.networkConnectionLost))
            }
        }
        script?.isOver.open()
    }

    private func respond(_ status: Int, _ headers: [String: String]) {
        guard let response = response(status, headers) else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    }

    func fail(with error: any Error) {
        client?.urlProtocol(self, didFailWithError: error)
    }

    func redirect(to location: String) {
        guard let response = response(302, ["Location": location]) else { return }
        client?.urlProtocol(self, wasRedirectedTo: request, redirectResponse: response)
    }

    private func response(_ status: Int, _ headers: [String: String]) -> HTTPURLResponse? {
        request.url.flatMap {
            HTTPURLResponse(url: $0, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
        }
    }
}
#endif
