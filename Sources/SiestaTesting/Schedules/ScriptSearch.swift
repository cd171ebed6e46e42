/// The search for the shortest script that still fails: delta debugging. Pure.
///
/// It first leaves out halves, then quarters, and so on, and at last single calls. It is over when no single call can
/// be left out.
struct ScriptSearch {
    private var script: [ScheduleCall]
    private var chunk: Int
    private var position = 0
    /// True if a candidate with the current size of chunks was accepted in this pass.
    private var hasProgress = false
    private(set) var isOver = false

    init(_ script: [ScheduleCall]) {
        self.script = script
        chunk = max(1, (script.count + 1) / 2)
    }

    /// Returns the next candidate; nil if the search is over.
    mutating func next() -> [ScheduleCall]? {
        if position >= script.count, !beginPass() {
            isOver = true
            return nil
        }
        let end = min(position + chunk, script.count)
        defer { position += chunk }
        return Array(script[..<position] + script[end...])
    }

    /// Continues with a candidate that has failed, or with its part up to the failure.
    mutating func accept(_ shorter: [ScheduleCall]) {
        script = shorter
        position -= chunk  // The next chunk has moved to the place of the removed one.
        hasProgress = true
    }

    private mutating func beginPass() -> Bool {
        guard !script.isEmpty, chunk > 1 || hasProgress else { return false }
        if !hasProgress || chunk > script.count { chunk = max(1, min(chunk / 2, script.count)) }
        (position, hasProgress) = (0, false)
        return true
    }
}
