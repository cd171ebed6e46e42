package import Foundation
package import LoopbackServer
package import SiestaCore

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// A provider under test, its requests, and the servers that receive them.
@MainActor
package final class ConformanceBench {
    /// The provider under test.
    package let provider: any NetworkingProvider

    /// The maximum duration of a case; 30 seconds by default.
    package var timeout = Duration.seconds(300)

    private let offer: (@MainActor (Offer) throws -> URL)?
    private var asked: [AskedRequest] = []
    private var servers: [LoopbackServer] = []
    private let givenUp = Gate()

    /// A response that a test double can give as well as a server.
    package enum Offer: Sendable {
        case response(status: Int, headers: [String: String], body: Data)
        /// No response: the connection fails.
        case failure
        /// No response until the request is cancelled.
        case silence
    }

    /// Creates a bench for a provider. `offer` makes a test double respond in a certain way at the URL that it returns.
    package init(_ provider: any NetworkingProvider, offer: (@MainActor (Offer) throws -> URL)? = nil) {
        self.provider = provider
        self.offer = offer
    }

    // MARK: Servers

    /// Returns the URL at which the next request gets `answer`.
    package func url(offering answer: Offer) throws -> URL {
        if let offer { return try offer(answer) }
        return try serve { exchange in
            switch answer {
            case .response(let status, let headers, let body):
                try exchange.respond(status, headers: headers.map { "\($0.key): \($0.value)" }, body: body)
            case .failure: exchange.reset()
            case .silence: exchange.waitForDisconnect()
            }
        }
        .url("/")
    }

    /// Starts a server that lives as long as the bench.
    package func serve(
        at address: LoopbackAddress = .ipv4(), _ script: @escaping LoopbackServer.Script
    ) throws -> LoopbackServer {
        let server = try LoopbackServer(address, script)
        servers.append(server)
        return server
    }

    /// Starts a server that sends `bytes` to every request, and then closes the connection.
    package func serve(bytes: String) throws -> LoopbackServer {
        try serve(bytes: Data(bytes.utf8))
    }

    /// Starts a server that sends `bytes` to every request, and then closes the connection.
    package func serve(bytes: Data) throws -> LoopbackServer {
        try serve { exchange in
            try exchange.send(bytes)
            exchange.close()
        }
    }

    // MARK: Requests

    /// Starts a request.
    package func ask(_ request: URLRequest) -> AskedRequest {
        let new = AskedRequest(request, of: provider, orUntil: givenUp)
        asked.append(new)
        return new
    }

    /// Sends a request and waits for its response.
    package func answer(_ request: URLRequest) async throws -> ConformanceAnswer {
        try await ask(request).answer()
    }

    /// Sends a GET request and waits for its response.
    package func answer(_ url: URL) async throws -> ConformanceAnswer {
        try await answer(URLRequest(url: url))
    }

    /// Waits for `gate`, but not longer than the maximum duration of a case.
    package func wait(for gate: Gate, _ what: String) async throws {
        await gate.wait(orUntil: givenUp)
        try check(gate.isOpen, "\(what) did not happen in time")
    }

    /// Ends all waits, because the case has failed.
    func giveUp() {
        givenUp.open()
        for server in servers { server.stop() }
    }

    // MARK: Verdicts

    /// Throws a violation unless `condition` holds.
    package func check(_ condition: Bool, _ violation: @autoclosure () -> String) throws {
        if !condition { throw ProviderConformance.Violation(description: violation()) }
    }

    /// Throws a violation unless both are equal.
    package func check<Value: Equatable>(_ what: String, _ found: Value, is wanted: Value) throws {
        try check(found == wanted, "\(what) should be \(wanted), but is \(found)")
    }

    /// Throws a violation unless the result is an error with one of these codes.
    package func check(_ answer: ConformanceAnswer, failsWith codes: URLError.Code...) throws {
        let found = (answer.error as? URLError)?.code
        try check(
            found.map(codes.contains) == true && answer.status == nil,
            "the error should be one of \(codes.map(\.rawValue)), but the answer is \(answer)")
    }

    /// Throws a violation if a request was completed more than once, or not at all.
    func checkCompletions() throws {
        for request in asked {
            try check("the number of completions of \(request.name)", request.completionCount, is: 1)
        }
    }
}
