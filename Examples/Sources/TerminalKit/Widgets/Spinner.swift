/// The frames of a small animation that shows that something is going on.
///
/// It has no clock: the caller counts ticks, so that all spinners on a screen turn together.
public struct Spinner: Hashable, Sendable {
    /// The frames in order; all take the same number of columns.
    public let frames: [String]

    /// Makes a spinner; an empty list of frames gives one that shows nothing.
    public init(frames: [String]) {
        self.frames = frames.isEmpty ? [""] : frames
    }

    /// A dot of Braille that runs in a circle, made for about ten ticks a second.
    public static let dots = Spinner(frames: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"])

    /// The frame to show at a tick; any number is good, they go round.
    public func frame(at tick: Int) -> String {
        let index = tick % frames.count
        return frames[index < 0 ? index + frames.count : index]
    }
}
