@testable import Siesta

extension AuthenticationNetwork {
    /// A real network.
    @MainActor
    static func real(over networking: any NetworkingProviderConvertible = DefaultNetworking()) -> Self {
        let starter = RequestStarter(networking.siestaNetworkingProvider)
        return Self(clock: .system) { starter.start($0, answering: $1) }
    }
}

extension Result where Failure == any Error {
    /// Runs an async function and keeps its error.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
