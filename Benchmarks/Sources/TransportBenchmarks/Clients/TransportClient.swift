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
        let (request, bytes) = (TransportRequest("GET", workload.url), workload.bytes)
        await ClosedLoop.run(count, inFlight: workload.inFlight) { [transport] loop in
            transport.start(request) { result in
                guard case .success(let response) = result, response.body.count == bytes else {
                    preconditionFailure("The server did not answer.")
                }
                loop.completed()
            }
        }
    }
}
#endif
