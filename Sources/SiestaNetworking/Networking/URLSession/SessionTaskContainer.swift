#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// A request in progress that a `URLSessionTask` carries out.
///
/// A conforming type needs to implement only ``task``.
public protocol SessionTaskContainer: RequestNetworking {
    /// The task that carries out the request.
    var task: URLSessionTask { get }
}

extension SessionTaskContainer {
    /// The transfer metrics of the task. Totals are nil while they are unknown.
    ///
    /// On Linux, a task does not count the bytes that it receives. If the session has no delegate, the task does not
    /// count the bytes that it sends, either.
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

    /// The size that the task reports. If the task has not reported a size, the size of the body in memory.
    private var requestBytesTotal: Int64? {
        let told = task.countOfBytesExpectedToSend
        guard told == 0, let request = task.originalRequest else { return known(told) }
        return request.httpBodyStream == nil ? Int64(request.httpBody?.count ?? 0) : nil
    }

    /// Returns nil for a negative total, which means that URLSession does not know it.
    private func known(_ total: Int64) -> Int64? {
        total >= 0 ? total : nil
    }
}
