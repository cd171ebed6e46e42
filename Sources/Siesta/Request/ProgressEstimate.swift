import Foundation

/// Estimates how much of a transfer is done, from what was moved and how long it took. Pure.
///
/// A transfer has up to four phases: connecting, uploading, waiting for the answer, downloading. Each gets a share of
/// what is still missing when it begins, so the value never jumps: neither when a phase ends early or late, nor when a
/// total becomes known. Phases without a known end approach the end of their share asymptotically.
struct ProgressEstimate {
    private enum Phase: Int {
        case connecting, uploading, waiting, downloading

        /// The phase that follows this one when a transfer looks like being in `next`: never an earlier one, except
        /// that uploading may turn out to begin only now where nothing told that there was anything to upload.
        func followed(by next: Phase) -> Phase {
            self == .waiting && next == .uploading || next.rawValue > rawValue ? next : self
        }

        /// This phase's part of all that is left when it begins: of the whole, connecting and waiting are a tenth each,
        /// uploading is half, downloading is three tenths.
        var shareOfRemainder: Double {
            switch self {
            case .connecting: 0.1
            case .uploading: 0.5 / 0.9
            case .waiting: 0.25
            case .downloading: 1
            }
        }
    }

    /// One stretch of a phase, along which the value grows with a single amount (seconds or bytes).
    private struct Stretch {
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

        /// The amount at which a stretch without a known end counts as half done.
        private var typicalAmount: Double {
            switch phase {
            case .connecting, .waiting: 2.5
            case .uploading: 8_192
            case .downloading: 65_536
            }
        }
    }

    /// The estimate, from 0 to 1; never decreases.
    private(set) var value = 0.0

    private var stretch: Stretch?
    private var isUpload = false

    /// The estimate for a transfer that began at `time` with a request body of this size.
    ///
    /// If it is an upload, sending the body is nearly all of it, and not half.
    init(startedAt time: TimeInterval, requestBytesTotal: Int64?, isUpload: Bool = false) {
        self.isUpload = isUpload
        update(
            RequestTransferMetrics(
                requestBytesSent: 0, requestBytesTotal: requestBytesTotal, responseBytesReceived: 0,
                responseBytesTotal: nil),
            at: time)
    }

    init() {}

    /// Takes in what was moved up to `time`, in seconds of any monotonic clock.
    mutating func update(_ metrics: RequestTransferMetrics, at time: TimeInterval) {
        let seen = phase(of: metrics)
        let phase = stretch?.phase.followed(by: seen) ?? seen
        let (amount, total) = amount(in: phase, metrics, time)
        if let stretch, stretch.phase == phase {
            if stretch.totalAmount != total { restart(amount, total) }
        } else {
            enter(phase, amount, total)
        }
        value = min(1, max(value, stretch?.value(at: amount) ?? 0))
    }

    private mutating func enter(_ phase: Phase, _ amount: Double, _ total: Double?) {
        let countsFromZero = phase == .uploading || phase == .downloading
        let share = isUpload && phase == .uploading ? 0.95 : phase.shareOfRemainder
        stretch = Stretch(
            phase: phase, startValue: value, endValue: value + (1 - value) * share,
            startAmount: countsFromZero ? 0 : amount, totalAmount: total)
    }

    /// The total of the present phase has changed: what is left of its share is spread over what is left of the amount.
    private mutating func restart(_ amount: Double, _ total: Double?) {
        stretch?.startValue = value
        stretch?.startAmount = amount
        stretch?.totalAmount = total
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
