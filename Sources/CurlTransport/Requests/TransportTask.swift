#if os(Linux) || os(Android)
import Synchronization

/// An exchange that was started. Any thread may use it. The release of this value does not cancel the exchange.
package struct TransportTask: Sendable {
    private let exchange: CurlExchange

    init(_ exchange: CurlExchange) {
        self.exchange = exchange
    }

    /// Ends the exchange with ``TransportError/Kind/cancelled``, unless it has ended or is about to end. It may be
    /// called more than once.
    package func cancel() {
        exchange.cancel()
    }

    /// The current progress of the bodies. The getter takes no lock.
    package var progress: Progress {
        Progress(
            sent: exchange.sent.load(ordering: .relaxed), sentTotal: known(exchange.sentTotal.load(ordering: .relaxed)),
            received: exchange.received.load(ordering: .relaxed),
            receivedTotal: known(exchange.receivedTotal.load(ordering: .relaxed)))
    }

    private func known(_ total: Int64) -> Int64? {
        total < 0 ? nil : total
    }

    /// The numbers of bytes of message bodies, before decoding.
    package struct Progress: Sendable, Equatable {
        /// The number of bytes of the request body sent to the network.
        package var sent: Int64

        /// The length of the request body in bytes; nil if it is unknown.
        package var sentTotal: Int64?

        /// The number of bytes of the response body received.
        package var received: Int64

        /// The length of the response body in bytes, as the server announced it; nil if there is no announcement yet.
        package var receivedTotal: Int64?

        /// Creates a progress from four numbers of bytes.
        package init(sent: Int64 = 0, sentTotal: Int64? = nil, received: Int64 = 0, receivedTotal: Int64? = nil) {
            self.sent = sent
            self.sentTotal = sentTotal
            self.received = received
            self.receivedTotal = receivedTotal
        }
    }
}
#endif
