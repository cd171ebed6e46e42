#if os(Linux)
import CurlTransport
import Foundation

/// The transport without anything around it.
final class TransportClient: Client {
    private let workload: Workload
    let transport: CurlTransport

    init(_ workload: Workload) throws {
        self.workload = workload
        transport = try CurlTransport(options: workload.transportOptions)
    }

    func run(_ count: Int) async {
        await ClosedLoop.run(count, inFlight: workload.inFlight) { [transport, workload] loop in
            transport.start(TransportRequest("GET", workload.url)) { result in
                precondition((try? result.get().body.count) == workload.bytes, "The server did not answer.")
                loop.completed()
            }
        }
    }
}
#endif
