import Foundation
import SiestaActivity
import SiestaCore

@testable import SiestaSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension AuthenticationNetwork {
    /// A real network.
    static func real(clock: SiestaClock = .system) -> Self {
        real(clock) { DefaultNetworking().siestaNetworkingProvider.transport }
    }

    /// A network whose requests a closure carries out.
    init(clock: SiestaClock, _ start: @escaping ClosureTransport.Start) {
        self = .real(clock) { ClosureTransport(start: start) }
    }

    private static func real(_ clock: SiestaClock, _ transport: @escaping @MainActor @Sendable () -> any Transport)
        -> Self
    {
        Self(clock: clock) { await TokenExchange.response(to: $0, over: transport, clock: clock) }
    }
}

/// A transport whose calls a closure carries out.
struct ClosureTransport: Transport {
    typealias Start =
        @MainActor @Sendable (URLRequest, @escaping @Sendable (NetworkResponse) -> Void) -> any RequestNetworking

    let start: Start

    var capabilities: TransportCapabilities { [] }

    func start(
        _ call: TransportCall, completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        start(call.request, completion)
    }
}

extension Result where Failure == any Error {
    /// Runs an async function and keeps its error.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
