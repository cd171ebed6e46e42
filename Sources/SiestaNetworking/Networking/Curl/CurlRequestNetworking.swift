#if os(Linux) || os(Android)
import CurlTransport
import Isolation

/// A request that a ``CurlProvider`` has in progress, and its metrics after the end.
///
/// Any thread may use it.
nonisolated final class CurlRequestNetworking: RequestNetworking, Sendable {
    typealias Completion = @Sendable (Result<TransportResponse, TransportError>) -> Void

    private let completion: Completion
    private let state = Locked(State())

    private struct State {
        var task: TransportTask?
        var metrics: ExchangeMetrics?
    }

    init(_ completion: @escaping Completion) {
        self.completion = completion
    }

    /// Records the task that carries out the request.
    func isCarried(by task: TransportTask) {
        state.withLock { $0.task = task }
    }

    /// Stores the metrics, and calls the completion with the result.
    func complete(_ result: Result<TransportResponse, TransportError>) {
        state.withLock { state in
            switch result {
            case .success(let response): state.metrics = response.metrics
            case .failure(let error): state.metrics = error.metrics
            }
        }
        completion(result)
    }

    func cancel() {
        state.withLock { $0.task }?.cancel()
    }

    var transferMetrics: RequestTransferMetrics {
        let progress = state.withLock { $0.task }?.progress ?? TransportTask.Progress()
        return RequestTransferMetrics(
            requestBytesSent: progress.sent, requestBytesTotal: progress.sentTotal,
            responseBytesReceived: progress.received, responseBytesTotal: progress.receivedTotal)
    }

    var requestMetrics: RequestMetrics? {
        state.withLock { $0.metrics }.map { RequestMetrics($0) }
    }
}

extension RequestMetrics {
    fileprivate init(_ metrics: ExchangeMetrics) {
        self.init(total: metrics.total)
        nameLookup = metrics.nameLookup.unlessZero
        connect = metrics.connect.unlessZero
        secureConnect = metrics.tls.unlessZero
        firstByte = metrics.firstByte.unlessZero
        requestBytes = metrics.bytesSent
        responseBytes = metrics.bytesReceived
        httpVersion = metrics.httpVersion
        isReusedConnection = metrics.isReusedConnection
        redirects = metrics.redirects
    }
}

extension Double {
    /// The number, or nil for 0. In the transport's metrics, 0 means that the phase did not happen.
    fileprivate var unlessZero: Double? { self == 0 ? nil : self }
}
#endif
