#if os(Linux)
import Foundation
import FoundationNetworking
import Siesta

/// The networking provider without services and resources. Each response leads to the main actor, as for a load.
final class TransportClient: Client {
    private let workload: Workload
    private let provider: CurlProvider

    init(_ workload: Workload) {
        self.workload = workload
        provider = CurlProvider(options: workload.transportOptions)
    }

    func run(_ count: Int) async {
        let (provider, url, bytes) = (provider, workload.url, workload.bytes)
        await ClosedLoop.run(count, inFlight: workload.inFlight) { loop in
            Task { @MainActor in
                _ = provider.startRequest(URLRequest(url: url)) { _, body, _ in
                    precondition(body?.count == bytes, "The server did not answer.")
                    loop.completed()
                }
            }
        }
    }
}
#endif
