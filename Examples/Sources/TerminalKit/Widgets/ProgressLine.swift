public import SiestaUI

/// A row that shows that something is loading: a spinner, and a bar if it takes longer.
public struct ProgressLine: Hashable, Sendable {
    /// The part that is done, from 0 to 1; nil if it is not known.
    public var fraction: Double?
    /// True if a bar is shown.
    public var hasBar: Bool
    /// True if all loads wait, so that there is no progress.
    public var isWaiting: Bool

    /// Creates a row.
    public init(fraction: Double? = nil, hasBar: Bool = false, isWaiting: Bool = false) {
        (self.fraction, self.hasBar, self.isWaiting) = (fraction, hasBar, isWaiting)
    }

    /// Creates the row of a model.
    @MainActor
    public init(_ progress: ProgressModel, isWaiting: Bool) {
        self.init(fraction: progress.fraction, hasBar: progress.isActive, isWaiting: isWaiting)
    }

    /// The row; `tick` turns the spinner.
    public func line(tick: Int) -> Line {
        let spinner = Line(" \(Spinner.dots.frame(at: tick)) ", style: Style(foreground: .cyan))
        if isWaiting { return spinner + "waiting" }
        guard hasBar, let fraction else { return spinner + "loading" }
        let bar = ProgressBar(fraction: fraction).text(columns: 16)
        return spinner + Line("▕", style: .dim) + Line(bar, style: Style(foreground: .cyan)) + Line("▏", style: .dim)
            + Line("\(Int(fraction * 100)) %")
    }
}
