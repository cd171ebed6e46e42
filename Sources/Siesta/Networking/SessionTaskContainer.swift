#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// A request in progress that one `URLSessionTask` carries out.
///
/// Conform to it, and ``RequestNetworking`` needs nothing more: metrics and cancelling come from the task.
public protocol SessionTaskContainer: RequestNetworking {
    /// The task that carries out the request.
    var task: URLSessionTask { get }
}

extension SessionTaskContainer {
    /// The counts of the task. Totals are nil while unknown.
    ///
    /// On Linux a task counts neither what it receives nor, in a session without a delegate, what it sends.
    public var transferMetrics: RequestTransferMetrics {
        RequestTransferMetrics(
            requestBytesSent: task.countOfBytesSent,
            requestBytesTotal: requestBytesTotal,
            responseBytesReceived: task.countOfBytesReceived,
            responseBytesTotal: task.response == nil ? nil : known(task.countOfBytesExpectedToReceive))
    }

    /// Cancels the task.
    public func cancel() {
        task.cancel()
    }

    /// The size that the task tells, or before it does, that of the body in memory.
    private var requestBytesTotal: Int64? {
        let told = task.countOfBytesExpectedToSend
        guard told == 0, let request = task.originalRequest else { return known(told) }
        return request.httpBodyStream == nil ? Int64(request.httpBody?.count ?? 0) : nil
    }

    /// A negative total is URLSession's way to say that it does not know.
    private func known(_ total: Int64) -> Int64? {
        total >= 0 ? total : nil
    }
}
