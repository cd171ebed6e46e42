#if os(Linux)
import Synchronization

/// A transfer that was started. Usable on any thread; letting go of it changes nothing.
public struct TransportTask: Sendable {
    private let transfer: Transfer

    init(_ transfer: Transfer) {
        self.transfer = transfer
    }

    /// Ends the transfer with ``TransportError/Kind/cancelled``, unless it is over or about to be; allowed any number
    /// of times.
    public func cancel() {
        transfer.cancel()
    }

    /// What was moved of the bodies so far. Reads four atomics, no lock.
    public var progress: Progress {
        Progress(
            sent: transfer.sent.load(ordering: .relaxed), sentTotal: known(transfer.sentTotal.load(ordering: .relaxed)),
            received: transfer.received.load(ordering: .relaxed),
            receivedTotal: known(transfer.receivedTotal.load(ordering: .relaxed)))
    }

    private func known(_ total: Int64) -> Int64? {
        total < 0 ? nil : total
    }

    /// Bytes of message bodies, as they are on the wire: before decoding.
    public struct Progress: Sendable, Equatable {
        /// Bytes of the request body given to the network.
        public var sent: Int64

        /// The length of the request body, or nil if it is not known.
        public var sentTotal: Int64?

        /// Bytes of the response body received.
        public var received: Int64

        /// The length of the response body as the server announced it, or nil if it did not, or has not yet.
        public var receivedTotal: Int64?

        /// Creates a measurement.
        public init(sent: Int64 = 0, sentTotal: Int64? = nil, received: Int64 = 0, receivedTotal: Int64? = nil) {
            self.sent = sent
            self.sentTotal = sentTotal
            self.received = received
            self.receivedTotal = receivedTotal
        }
    }
}
#endif
