#if GTK
import CGTK
import Foundation
import SiestaGTK

/// Measures how much processor time of the main thread each frame needs, apart from GTK's own drawing.
///
/// The time of a frame is the time outside of the phases of the frame clock, in which the main loop runs the jobs of the
/// main actor, and the time in closures that the check passes to `measure`. The processor time is counted, because other
/// processes of a small machine would add any length of pauses.
@MainActor final class FrameMeter {
    /// The times of all frames, in microseconds.
    private(set) var frames: [Int] = []
    private var (outside, measured, last): (Int, Int, Int) = (0, 0, FrameMeter.now)
    private var isInside = false
    private var connections: [SignalConnection] = []

    init(_ widget: WidgetPointer) {
        guard let clock = gtk_widget_get_frame_clock(widget) else { return }
        connections = [
            SignalConnection.connect(clock, "before-paint") { [weak self] _ in self?.begin() },
            SignalConnection.connect(clock, "after-paint") { [weak self] _ in self?.end() },
        ]
    }

    /// Runs work of the library, whose time counts for the current frame.
    func measure(_ work: () -> Void) {
        let start = Self.now
        work()
        if isInside { measured += Self.now - start }
    }

    func stop() {
        for connection in connections { connection.disconnect() }
    }

    /// The largest time, the 99th percentile and the mean, in microseconds.
    var summary: (largest: Int, percentile: Int, mean: Int) {
        let sorted = frames.sorted()
        guard let largest = sorted.last else { return (0, 0, 0) }
        return (largest, sorted[sorted.count * 99 / 100], sorted.reduce(0, +) / sorted.count)
    }

    private func begin() {
        outside += Self.now - last
        isInside = true
    }

    private func end() {
        frames.append(outside + measured)
        (outside, measured, last, isInside) = (0, 0, Self.now, false)
    }

    /// The processor time of the main thread, in microseconds.
    private static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }
}
#endif
