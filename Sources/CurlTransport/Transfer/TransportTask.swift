#if os(Linux)
import Synchronization

/// A transfer that was started. May be used on any thread; releasing it does not cancel the transfer.
public struct TransportTask: Sendable {
    private let transfer: Transfer

    init(_ transfer: Transfer) {
        self.transfer = transfer
    }

    /// Ends the transfer with ``TransportError/Kind/cancelled``, unless it is over or about to end. May be called any
    /// number of times.
    public func cancel() {
        transfer.cancel()
    }

    /// The progress of the bodies so far. Reading it takes no lock.
    public var progress: Progress {
        Progress(
            sent: transfer.sent.load(ordering: .relaxed), sentTotal: known(transfer.sentTotal.load(ordering: .relaxed)),
            received: transfer.received.load(ordering: .relaxed),
            receivedTotal: known(transfer.receivedTotal.load(ordering: .relaxed)))
    }

    private func known(_ total: Int64) -> Int64? {
        total < 0 ? nil : total
    }

    /// The numbers of bytes of message bodies, before decoding.
    public struct Progress: Sendable, Equatable {
        /// The number of bytes of the request body sent to the network.
        public var sent: Int64

        /// The length of the request body in bytes; nil if it is not known.
        public var sentTotal: Int64?

        /// The number of bytes of the response body received.
        public var received: Int64

        /// The length of the response body in bytes, as the server announced it; nil if it did not, or has not yet.
        public var receivedTotal: Int64?

        /// Creates a progress from four numbers of bytes.
        public init(sent: Int64 = 0, sentTotal: Int64? = nil, received: Int64 = 0, receivedTotal: Int64? = nil) {
            self.sent = sent
            self.sentTotal = sentTotal
            self.received = received
            self.receivedTotal = receivedTotal
        }
    }
}
#endif
