#if os(Linux)
import Dispatch
import Foundation
import FoundationNetworking
import Measuring
import Siesta

/// How long starting a request keeps the caller's thread, with 16 in flight.
@MainActor
struct StartTimes {
    let workload: Workload

    /// Nanoseconds of each start; nil for a client that has no such call.
    func measure(_ kind: ClientKind) async -> Samples? {
        switch kind {
        case .bare, .tuned, .transport, .guardedLoad: return nil
        case .load: return await measure(LoadClient(workload, CurlProvider(options: workload.transportOptions)), 60_000)
        case .sessionLoad:
            let session = URLSession(configuration: workload.sessionConfiguration)
            return await measure(LoadClient(workload, session), 6000)
        case .session:
            let session = URLSession(configuration: workload.sessionConfiguration)
            return await measure(6000) { done in
                session.dataTask(with: URLRequest(url: workload.url)) { _, _, _ in done() }.resume()
            }
        }
    }

    private func measure(_ client: LoadClient, _ count: Int) async -> Samples {
        await client.run(count / 10)
        client.startTimes = []
        await client.run(count)
        return Samples(client.startTimes ?? [])
    }

    /// Starts requests on a thread of its own, which waits while enough are in flight.
    private func measure(
        _ count: Int, _ start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) async -> Samples {
        let free = DispatchSemaphore(value: workload.inFlight)
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { [workload] in
                var times: [Double] = []
                for number in 0..<count + count / 10 {
                    free.wait()
                    let started = DispatchTime.now().uptimeNanoseconds
                    start { free.signal() }
                    let ended = DispatchTime.now().uptimeNanoseconds
                    if number >= count / 10 { times.append(Double(ended - started)) }
                }
                for _ in 0..<workload.inFlight { free.wait() }
                for _ in 0..<workload.inFlight { free.signal() }
                continuation.resume(returning: Samples(times))
            }
        }
    }
}
#endif
