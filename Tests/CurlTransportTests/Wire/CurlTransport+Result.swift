#if os(Linux)
import Foundation
import LoopbackServer
import Testing

@testable import CurlTransport

extension CurlTransport {
    /// Creates a transport with its own engine. No other test has used its connections and handles, and it ignores the
    /// machine's proxy settings.
    static func fresh(_ change: (inout TransportOptions) -> Void = { _ in }) throws -> CurlTransport {
        var options = TransportOptions()
        options.proxy = .none
        options.noProxy = [UUID().uuidString]
        change(&options)
        return try CurlTransport(options: options)
    }

    /// Returns the result of an exchange. A second completion crashes the test; without a completion the test exceeds
    /// its time limit.
    func result(
        _ request: TransportRequest, into destination: ResponseDestination = .memory,
        started: (TransportTask) -> Void = { _ in }
    ) async -> Result<TransportResponse, TransportError> {
        await withCheckedContinuation { continuation in
            started(start(request, into: destination) { continuation.resume(returning: $0) })
        }
    }

    /// Returns the result of a GET.
    func get(_ url: URL) async -> Result<TransportResponse, TransportError> {
        await result(TransportRequest("GET", url))
    }
}

extension Result<TransportResponse, TransportError> {
    /// The kind of the failure; nil for a response.
    var failureKind: TransportError.Kind? {
        if case .failure(let error) = self { error.kind } else { nil }
    }

    /// The body of the response as text; nil for a failure.
    var text: String? {
        (try? get()).map { String(decoding: $0.body, as: UTF8.self) }
    }

    /// The status of the response; nil for a failure.
    var status: Int? {
        (try? get())?.head.status
    }
}

/// Bytes that a server sends, and the expected result of the client.
struct WireCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: Data
    let outcome: Outcome

    enum Outcome: Sendable, Equatable {
        case response(Int, String)
        case failure(TransportError.Kind)

        init(_ result: Result<TransportResponse, TransportError>) {
            switch result {
            case .success(let response):
                self = .response(response.head.status, String(decoding: response.body, as: UTF8.self))
            case .failure(let error):
                self = .failure(error.kind)
            }
        }
    }

    init(_ name: String, _ text: String, _ outcome: Outcome) {
        self.init(name, Data(text.utf8), outcome)
    }

    init(_ name: String, _ bytes: Data, _ outcome: Outcome) {
        testDescription = name
        self.bytes = bytes
        self.outcome = outcome
    }

    /// Returns the result of a GET. The server reads the request, sends the bytes, and closes the connection. If
    /// `staysOpen` is true, it closes the connection only when the client does.
    func result(
        staysOpen: Bool = false, _ change: (inout TransportOptions) -> Void = { _ in }
    ) async throws -> Result<TransportResponse, TransportError> {
        let bytes = bytes
        let server = try LoopbackServer.serving { connection in
            guard connection.head() != nil else { return }
            try connection.send(bytes)
            if staysOpen { connection.waitForDisconnect() }
        }
        let transport = try CurlTransport.fresh(change)
        return await transport.get(server.url())
    }
}
#endif
