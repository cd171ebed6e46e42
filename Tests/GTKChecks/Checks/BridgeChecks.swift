#if GTK
import CGTK
import Dispatch
import Foundation
import SiestaGTK
import Synchronization
import Waiting

extension Check {
    static let bridge = [
        Check("Jobs of the main actor run on the main thread") {
            for _ in 0..<100 {
                await onOtherThread()
                try expect(cgtk_is_main_thread())
            }
            try await Task.sleep(for: .milliseconds(5))
            try expect(cgtk_is_main_thread())
        },
        Check("An attachment on another thread than the main thread ends the process, and says why") {
            let words = try await Command.crash(CommandLine.arguments[0], "--wrong-thread")
            try expect(words.contains("GTK needs the main thread"), words)
        },
        Check("A second attachment adds no second source, and a detachment stops the jobs until the next attachment") {
            MainActorBridge.attach()
            MainActorBridge.attach()
            try expect(MainActorBridge.isAttached)
            let ran = Atomic(false)
            MainActorBridge.detach()
            MainActorBridge.detach()
            try expect(!MainActorBridge.isAttached)
            DispatchQueue.main.async { ran.store(true, ordering: .relaxed) }
            // This job still runs, so the block can only run in a later turn of the loop. A source of GLib's own attaches
            // again after many turns.
            let turns = Turns(50) {
                let early = ran.load(ordering: .relaxed)
                MainActorBridge.attach()
                return early
            }
            try await Poll.until { turns.result != nil }
            try expectEqual(turns.result, false)
            try await Poll.until { ran.load(ordering: .relaxed) }
        },
        Check("A flood of jobs does not stop the frames") {
            let window = TestWindow()
            try await window.present()
            defer { window.close() }
            let flood = Flood()
            for _ in 0..<8 { flood.add() }
            let frames = await countFrames(window, work: .zero)
            flood.end()
            report("\(frames.count) frames and \(flood.jobs) jobs in a second, longest pause \(frames.longestPause) ms")
            try expect(frames.count >= 30, "\(frames.count) frames")
            try expect(frames.longestPause < 100, "\(frames.longestPause) ms")
            try expect(flood.jobs > 2_000, "\(flood.jobs) jobs")
        },
        Check("Frames that need more than their time do not stop the jobs") {
            let window = TestWindow()
            try await window.present()
            defer { window.close() }
            let jobs = Atomic(0)
            let isOver = Atomic(false)
            Task.detached {
                while !isOver.load(ordering: .relaxed) {
                    await MainActor.run { _ = jobs.add(1, ordering: .relaxed) }
                }
            }
            let frames = await countFrames(window, work: .milliseconds(40))
            isOver.store(true, ordering: .relaxed)
            report("\(frames.count) frames of 40 ms and \(jobs.load(ordering: .relaxed)) jobs in a second")
            try expect(jobs.load(ordering: .relaxed) >= 10)
            try expect(frames.count >= 10)
        },
        Check("A turn ends with the jobs that waited at its start") {
            let window = TestWindow()
            try await window.present()
            defer { window.close() }
            // A source with the same priority must get its turn between two jobs of a chain.
            let flood = Flood()
            var jobs = 0
            let turns = Turns(20) {
                jobs = flood.jobs
                return true
            }
            flood.add()
            try await Poll.until { turns.result != nil }
            flood.end()
            try expect((15...25).contains(jobs), "\(jobs) jobs in 20 turns")
        },
        Check("A nested loop of a job draws, and leaves the other jobs for later") {
            let window = TestWindow()
            try await window.present()
            defer { window.close() }
            let ran = Atomic(false)
            var frames = 0
            let nested = g_main_loop_new(nil, 0)
            _ = TickCallback(window.widget) { _ in
                frames += 1
                if frames == 5 { g_main_loop_quit(nested) }
                return frames < 5
            }
            DispatchQueue.main.async { ran.store(true, ordering: .relaxed) }
            g_main_loop_run(nested)
            g_main_loop_unref(nested)
            try expectEqual(frames, 5)
            try expect(!ran.load(ordering: .relaxed))
            try await Poll.until { ran.load(ordering: .relaxed) }
        },
        Check("An idle app uses no processor time") {
            let window = TestWindow()
            try await window.present()
            defer { window.close() }
            await Moment.after(.milliseconds(500))
            let before = Usage.processorMicroseconds
            await Moment.after(.seconds(2))
            let used = Usage.processorMicroseconds - before
            report("\(used) µs of processor time in 2 s")
            try expect(used < 20_000, "\(used) µs")
        },
        Check("A round trip to another thread is short") {
            let start = ContinuousClock.now
            for _ in 0..<1_000 { await onOtherThread() }
            let time = (ContinuousClock.now - start).microseconds / 1_000
            report("\(time) µs for each round trip")
            try expect(time < 2_000)
        },
    ]
}

/// Lets a thread of the pool resume the task.
@MainActor private func onOtherThread() async {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume() }
    }
}

/// Jobs each of which adds the next one.
private final class Flood: Sendable {
    private let count = Atomic(0)
    private let isOver = Atomic(false)
    var jobs: Int { count.load(ordering: .relaxed) }

    func add() {
        DispatchQueue.main.async {
            self.count.add(1, ordering: .relaxed)
            if !self.isOver.load(ordering: .relaxed) { self.add() }
        }
    }

    func end() { isOver.store(true, ordering: .relaxed) }
}

/// Runs an action after a number of turns of GLib's main loop.
@MainActor private final class Turns {
    private(set) var result: Bool?
    private var left: Int
    private let action: @MainActor () -> Bool

    init(_ count: Int, _ action: @escaping @MainActor () -> Bool) {
        (left, self.action) = (count, action)
        let turn: GSourceFunc = { turns in
            nonisolated(unsafe) let turns = turns
            return MainActor.assumeIsolated {
                turns.map { Unmanaged<Turns>.fromOpaque($0).takeUnretainedValue().next() } ?? 0
            }
        }
        let release: GDestroyNotify = { turns in turns.map { Unmanaged<Turns>.fromOpaque($0).release() } }
        g_idle_add_full(cgtk_priority_redraw, turn, Unmanaged.passRetained(self).toOpaque(), release)
    }

    private func next() -> gboolean {
        left -= 1
        guard left == 0 else { return cgtk_source_continue }
        result = action()
        return cgtk_source_remove
    }
}

/// Draws a window for a second, and returns the number of frames and the longest time between two of them.
@MainActor private func countFrames(
    _ window: TestWindow, work: Duration
) async -> (count: Int, longestPause: Int) {
    var (count, longest, last) = (0, Duration.zero, ContinuousClock.now)
    let tick = TickCallback(window.widget) { _ in
        count += 1
        longest = max(longest, ContinuousClock.now - last)
        last = .now
        gtk_widget_queue_draw(window.widget)
        while ContinuousClock.now - last < work {}
        return true
    }
    await Moment.after(.seconds(1))
    tick.stop()
    return (count, longest.milliseconds)
}
#endif
