#if os(Linux)
import Foundation
import FoundationNetworking
import Siesta

/// Something that sends requests.
@MainActor
protocol Client {
    /// Sends so many requests, as many at a time as the workload says, and ends the program if an answer is wrong.
    func run(_ count: Int) async
}

/// The rows of each workload.
enum ClientKind: String, CaseIterable {
    case bare = "libcurl in C"
    case tuned = "libcurl in C, sockets kept watched"
    case transport = "CurlProvider"
    case load = "Resource.load() on CurlProvider"
    case session = "URLSession"
    case sessionLoad = "Resource.load() on URLSession"
    case guardedLoad = "Resource.load() on URLSessionConfiguration"

    /// A client for `workload`; nil if this kind cannot do it.
    @MainActor
    func client(for workload: Workload) throws -> (any Client)? {
        switch self {
        case .bare: BareClient(workload, keepsSockets: false)
        case .tuned: BareClient(workload, keepsSockets: true)
        case .transport: TransportClient(workload)
        case .load: LoadClient(workload, CurlProvider(options: workload.transportOptions))
        case .session where workload.isForURLSession: SessionClient(workload)
        case .sessionLoad where workload.isForURLSession:
            LoadClient(workload, URLSession(configuration: workload.sessionConfiguration))
        case .guardedLoad where workload.name == Workload.central: LoadClient(workload, workload.sessionConfiguration)
        case .session, .sessionLoad, .guardedLoad: nil
        }
    }
}

extension Workload {
    /// FoundationNetworking can neither be given a certificate authority nor use a Unix socket.
    fileprivate var isForURLSession: Bool { caFile == nil && unixSocket == nil }
}
#endif
