#if os(Linux)
import BareCurl
import Dispatch
import Foundation

/// The C program on libcurl's multi interface, on a thread that does nothing else.
final class BareClient: Client {
    private let workload: Workload
    private let handle: Handle
    private let queue = DispatchQueue(label: "BareClient", qos: .userInitiated)

    private final class Handle: @unchecked Sendable {  // sound: only one round runs at a time
        let client: OpaquePointer

        init?(_ workload: Workload, keepsSockets: Bool) {
            guard
                let client = bare_client_make(
                    Int32(workload.inFlight), keepsSockets ? 1 : 0, workload.caFile, workload.unixSocket)
            else {
                return nil
            }
            self.client = client
        }

        deinit {
            bare_client_free(client)
        }
    }

    /// Nil without libcurl.
    init?(_ workload: Workload, keepsSockets: Bool) {
        guard let handle = Handle(workload, keepsSockets: keepsSockets) else { return nil }
        self.workload = workload
        self.handle = handle
    }

    func run(_ count: Int) async {
        let url = workload.url.absoluteString
        let good = await withCheckedContinuation { continuation in
            queue.async { [handle, workload] in
                continuation.resume(returning: bare_client_run(handle.client, url, count, workload.bytes))
            }
        }
        precondition(good == count, "The server did not answer.")
    }
}
#endif
