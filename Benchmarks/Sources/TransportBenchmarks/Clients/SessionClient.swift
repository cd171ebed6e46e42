#if os(Linux)
import Foundation
import FoundationNetworking

/// `URLSession` in its leanest form: data tasks with completion handlers, without caches, cookies and credentials.
final class SessionClient: Client {
    private let workload: Workload
    private let session: URLSession

    init(_ workload: Workload) {
        self.workload = workload
        session = URLSession(configuration: workload.sessionConfiguration)
    }

    deinit {
        session.invalidateAndCancel()
    }

    func run(_ count: Int) async {
        await ClosedLoop.run(count, inFlight: workload.inFlight) { [session, workload] loop in
            session.dataTask(with: URLRequest(url: workload.url)) { data, _, _ in
                precondition(data?.count == workload.bytes, "The server did not answer.")
                loop.completed()
            }.resume()
        }
    }
}
#endif
