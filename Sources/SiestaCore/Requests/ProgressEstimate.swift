package import Foundation

/// Estimates the completed fraction of a transfer from the number of transferred bytes and the elapsed time. Pure.
///
/// A transfer has up to four phases: connecting, uploading, waiting for the response, downloading. When a phase begins,
/// it gets a share of the remaining fraction. Therefore the value never jumps when a phase ends early or late, or when
/// a total becomes known. There is one exception: an upload whose bytes the network has taken at once. A phase without
/// a known end approaches the end of its share asymptotically.
package struct ProgressEstimate {
    private enum Phase: Int {
        case connecting, uploading, waiting, downloading

        /// Returns the phase after this one when the metrics suggest `next`. Never returns an earlier phase, with one
        /// exception: uploading may follow waiting, because the metrics may show an upload only later.
        func followed(by next: Phase) -> Phase {
            self == .waiting && next == .uploading || next.rawValue > rawValue ? next : self
        }

        /// The share of the remaining fraction that this phase gets when it begins. Of a whole transfer, connecting and
        /// waiting are a tenth each, uploading is half, and downloading is three tenths.
        var shareOfRemainder: Double {
            switch self {
            case .connecting: 0.1
            case .uploading: 0.5 / 0.9
            case .waiting: 0.25
            case .downloading: 1
            }
        }
    }

    /// A part of a phase in which the value grows with a single amount, in seconds or bytes.
    private struct Segment {
        var phase: Phase
        var startValue: Double
        var endValue: Double
        var startAmount: Double
        var totalAmount: Double?

        func value(at amount: Double) -> Double {
            startValue + (endValue - startValue) * fraction(at: max(0, amount - startAmount))
        }

        private func fraction(at done: Double) -> Double {
            guard let totalAmount else { return done / (done + typicalAmount) }
            return totalAmount > startAmount ? min(1, done / (totalAmount - startAmount)) : 1
        }

        /// The amount at which a segment without a known end counts as half complete.
        private var typicalAmount: Double {
            switch phase {
            case .connecting, .waiting: 2.5
            case .uploading: 8_192
            case .downloading: 65_536
            }
        }
    }

    /// The share of the upload phase in the remaining fraction, if the request is an upload.
    private static let shareOfUpload = 0.95

    /// The estimate, from 0 to 1. Never decreases.
    package private(set) var value = 0.0

    private var segment: Segment?
    private var isUpload = false
    /// True once the estimate has reached the upload phase.
    private var isUploadSeen: Bool { (segment?.phase.rawValue ?? 0) >= Phase.uploading.rawValue }

    /// Creates the estimate of a transfer that began at `time` with a request body of this size.
    ///
    /// If `isUpload` is true, the upload gets 95 % of the remaining fraction when it begins, instead of about half.
    package init(startedAt time: TimeInterval, requestBytesTotal: Int64?, isUpload: Bool = false) {
        self.isUpload = isUpload
        update(
            RequestTransferMetrics(
                requestBytesSent: 0, requestBytesTotal: requestBytesTotal, responseBytesReceived: 0,
                responseBytesTotal: nil),
            at: time)
    }

    init() {}

    /// Updates the estimate with the bytes that were transferred until `time`, in seconds of any monotonic clock.
    package mutating func update(_ metrics: RequestTransferMetrics, at time: TimeInterval) {
        let seen = phase(of: metrics)
        let phase = segment?.phase.followed(by: seen) ?? seen
        let (amount, total) = amount(in: phase, metrics, time)
        if let segment, segment.phase == phase {
            if segment.totalAmount != total { restart(amount, total) }
        } else {
            if isUpload, metrics.requestBytesSent > 0, phase.rawValue > Phase.uploading.rawValue, !isUploadSeen {
                value += (1 - value) * Self.shareOfUpload  // The network has taken all bytes at once.
            }
            enter(phase, amount, total)
        }
        value = min(1, max(value, segment?.value(at: amount) ?? 0))
    }

    private mutating func enter(_ phase: Phase, _ amount: Double, _ total: Double?) {
        let countsFromZero = phase == .uploading || phase == .downloading
        let share = isUpload && phase == .uploading ? Self.shareOfUpload : phase.shareOfRemainder
        segment = Segment(
            phase: phase, startValue: value, endValue: value + (1 - value) * share,
            startAmount: countsFromZero ? 0 : amount, totalAmount: total)
    }

    /// Handles a change of the total: spreads the remaining share of the current phase over the remaining amount.
    private mutating func restart(_ amount: Double, _ total: Double?) {
        segment?.startValue = value
        segment?.startAmount = amount
        segment?.totalAmount = total
    }

    private func phase(of metrics: RequestTransferMetrics) -> Phase {
        if metrics.responseBytesReceived > 0 { return .downloading }
        let total = metrics.requestBytesTotal ?? 0
        guard total > 0 || metrics.requestBytesSent > 0 else { return .waiting }
        if metrics.requestBytesSent <= 0 { return .connecting }
        return total > 0 && metrics.requestBytesSent >= total ? .waiting : .uploading
    }

    private func amount(
        in phase: Phase, _ metrics: RequestTransferMetrics, _ time: TimeInterval
    ) -> (done: Double, total: Double?) {
        switch phase {
        case .connecting, .waiting: (time, nil)
        case .uploading: (Double(metrics.requestBytesSent), known(metrics.requestBytesTotal))
        case .downloading: (Double(metrics.responseBytesReceived), known(metrics.responseBytesTotal))
        }
    }

    private func known(_ total: Int64?) -> Double? {
        total.flatMap { $0 > 0 ? Double($0) : nil }
    }
}
