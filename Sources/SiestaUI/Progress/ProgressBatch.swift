/// The progress of several requests together, which never goes back, even if requests join. Pure.
///
/// The value is the mean of all requests. When a request joins, the value stays, and the rest of the way is shared by the
/// requests anew. When all requests have ended, the batch is complete.
struct ProgressBatch<ID: Hashable> {
    private var running: [ID: Double] = [:]
    private var endedCount = 0
    private var sum = 0.0
    /// The value and the mean when a request joined last.
    private var (base, baseMean) = (0.0, 0.0)

    /// The progress from 0 to 1. Never decreases.
    private(set) var value: Double

    /// True after a request has reported progress, or has ended.
    private(set) var hasEstimate = false

    /// Creates a batch without requests, whose progress begins at a value from 0 to 1.
    init(from value: Double = 0) {
        self.value = value
    }

    /// True if no request is running.
    var isComplete: Bool { running.isEmpty }

    private var mean: Double { (sum + Double(endedCount)) / Double(max(1, running.count + endedCount)) }

    /// Adds a request with its progress.
    mutating func begin(_ id: ID, at progress: Double = 0) {
        guard running[id] == nil else { return }
        running[id] = 0
        (base, baseMean) = (value, mean)
        advance(id, to: progress)
    }

    /// Notes the progress of a request, from 0 to 1. A value that is less than the last one has no effect.
    mutating func advance(_ id: ID, to progress: Double) {
        guard let last = running[id], progress > last else { return }
        let progress = min(1, progress)
        running[id] = progress
        sum += progress - last
        hasEstimate = true
        update()
    }

    /// Notes the end of a request: it counts as complete, whether it succeeded, failed or was cancelled.
    mutating func end(_ id: ID) {
        guard let last = running.removeValue(forKey: id) else { return }
        sum -= last
        endedCount += 1
        hasEstimate = true
        update()
    }

    private mutating func update() {
        let part = baseMean < 1 ? (mean - baseMean) / (1 - baseMean) : 1
        value = running.isEmpty ? 1 : max(value, min(1, base + (1 - base) * max(0, part)))
    }
}
