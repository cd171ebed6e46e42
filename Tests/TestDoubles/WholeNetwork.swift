import Foundation
package import SiestaCore
import SiestaTesting

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// A stub network that cannot stream, as the providers of many apps.
@MainActor
package struct WholeNetwork: nonisolated NetworkingProvider {
    private let network = StubNetwork()

    package nonisolated init() {}

    package func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        network.startRequest(request, completion: completion)
    }
}
