#if os(Linux)
import Foundation
import Siesta

/// Whole loads: request, answer, state of the resource, one hook. All on the main actor, but for what the library does
/// elsewhere.
final class LoadClient: Client {
    private let workload: Workload
    private let service: Service
    private let resources: [Resource]
    private var toStart = 0
    private var toComplete = 0
    private var whenDone: CheckedContinuation<Void, Never>?
    /// Nanoseconds that each call of `load()` took, while they are wanted.
    var startTimes: [Double]?

    init(_ workload: Workload, _ networking: any NetworkingProviderConvertible) {
        self.workload = workload
        service = Service(baseURL: workload.url.deletingLastPathComponent(), networking: networking)
        resources = (0..<workload.inFlight).map { [service] in
            service.resource(workload.url.lastPathComponent).withParam("place", String($0))
        }
    }

    func run(_ count: Int) async {
        (toStart, toComplete) = (count, count)
        await withCheckedContinuation { continuation in
            whenDone = continuation
            for resource in resources { startNext(resource) }
        }
        let latest = resources[0].latestData?.content as? Data
        precondition(latest?.count == workload.bytes, "The server did not answer.")
    }

    private func startNext(_ resource: Resource) {
        guard toStart > 0 else { return }
        toStart -= 1
        let started = DispatchTime.now().uptimeNanoseconds
        let request = resource.load()
        startTimes?.append(Double(DispatchTime.now().uptimeNanoseconds - started))
        request.onCompletion { [self] info in
            if case .failure(let error) = info.response { fatalError("The load failed: \(error)") }
            startNext(resource)
            toComplete -= 1
            if toComplete == 0 { whenDone?.resume() }
        }
    }
}
#endif
