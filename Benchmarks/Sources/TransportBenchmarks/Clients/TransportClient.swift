#if os(Linux)
import Foundation
import FoundationNetworking
import Siesta

/// The networking provider without services and resources. Each response comes to the main actor, as for a load.
final class TransportClient: Client {
    private let workload: Workload
    private let provider: CurlProvider
    private var toStart = 0
    private var toComplete = 0
    private var whenDone: CheckedContinuation<Void, Never>?

    init(_ workload: Workload) {
        self.workload = workload
        provider = CurlProvider(options: workload.transportOptions)
    }

    func run(_ count: Int) async {
        (toStart, toComplete) = (count, count)
        await withCheckedContinuation { continuation in
            whenDone = continuation
            for _ in 0..<workload.inFlight { startNext() }
        }
    }

    private func startNext() {
        guard toStart > 0 else { return }
        toStart -= 1
        _ = provider.startRequest(URLRequest(url: workload.url)) { _, body, _ in
            let count = body?.count
            Task { @MainActor in self.end(count) }
        }
    }

    private func end(_ count: Int?) {
        precondition(count == workload.bytes, "The server did not answer.")
        startNext()
        toComplete -= 1
        if toComplete == 0 { whenDone?.resume() }
    }
}
#endif
