import Foundation

/// Plays a scenario, and prints what was seen.
@MainActor
final class Script {
    private(set) var rig: Rig
    private var number = 0
    private var failures = 0
    /// The checks of a step, with the screen at the time of each check that failed.
    private var findings: [(name: String, isTrue: Bool, screen: String)] = []

    private let recording: ScriptRecording?

    /// Creates a script that is recorded, or played from a recording, if there is one.
    init(recording: ScriptRecording? = nil) throws {
        self.recording = recording
        rig = try Rig(traffic: recording?.begin(.browsing) ?? .network)
    }

    /// Plays everything; false if anything was not as expected. A replay leaves out the steps with a slow server, and
    /// those with the browser in another process.
    func play() async -> Bool {
        let isReplay = rig.isReplay
        await playBrowsing()
        await playTrouble()
        await playStarring()
        await playRefusals()
        await endPart()
        if !isReplay { await playPatience() }
        await playFreshness()
        await playRestart()
        await playSession()
        await endPart()
        if !isReplay {
            await playLive()
            await playChanges()
        }
        finishRecording()
        print(failures == 0 ? "\n\(number) steps, all as expected" : "\nFAILED: \(failures) of \(number) steps")
        return failures == 0
    }

    /// Goes on with another server, and a browser that keeps what it loads in the folder `cache`, if there is one.
    ///
    /// - Parameter part: The part of the recording that begins; nil if what follows is not recorded.
    func useServer(for part: ScriptRecording.Part?, cache: URL? = nil) async throws {
        await endPart()
        rig = try Rig(cache: cache, traffic: part.flatMap { try recording?.begin($0) } ?? .network)
    }

    /// Does the same. Returns false if this is not possible, and notes the failure.
    func hasServer(for part: ScriptRecording.Part, cache: URL? = nil) async -> Bool {
        do { try await useServer(for: part, cache: cache) } catch {
            fail("the part \(part) cannot begin: \(error)")
            return false
        }
        return true
    }

    // MARK: The recording

    private func endPart() async {
        do {
            let unused = try await recording?.end() ?? []
            if !unused.isEmpty { fail("the browser has not sent \(unused.joined(separator: ", "))") }
        } catch {
            fail("the recording cannot be written: \(error)")
        }
    }

    private func finishRecording() {
        do {
            let unplayed = try recording?.finish() ?? []
            if !unplayed.isEmpty { fail("steps of the recording were not played: \(unplayed)") }
        } catch {
            fail("the screens cannot be written: \(error)")
        }
    }

    private func fail(_ text: String) {
        failures += 1
        print("      FAILED: \(text)")
    }

    // MARK: Steps

    /// Does one step, prints what was seen, and compares.
    ///
    /// - Parameters:
    ///   - title: What the step is about.
    ///   - events: What observers are expected to be told, in any order of resources; see ``heard(_:_:)``.
    ///   - requests: What is expected to reach the server, in any order, for much of it comes at the same time.
    ///   - action: What to do, what to wait for, and what to ``check(_:_:)`` of the screen.
    func step(
        _ title: String, observed events: [String] = [], served requests: [String] = [], action: () async -> Void
    ) async {
        await begin(title, action)
        let seen = rig.takeNotes()
        for line in seen.events { print("      observed  \(line)") }
        for line in seen.requests { print("      server    \(line)") }
        let expected = Observation(events: events, requests: rig.isReplay ? [] : requests)
        let difference = recording.flatMap { $0.note(rig.screen, after: title) }
        report(seen.differences(from: expected) + (difference.map { [$0] } ?? []))
    }

    /// Does one step with another process, whose requests are not the same each time. Only what is checked counts.
    func act(_ title: String, action: () async -> Void) async {
        await begin(title, action)
        _ = rig.takeNotes()
        report([])
    }

    private func begin(_ title: String, _ action: () async -> Void) async {
        number += 1
        print("\(number < 10 ? " " : "")\(number). \(title)")
        findings = []
        await action()
    }

    /// Lets a minute pass, because the library limits the retries in a minute.
    func leaveMinute() {
        rig.advance(by: 61)
    }

    /// Notes something that is expected to be true.
    func check(_ name: String, _ isTrue: Bool, on screen: String? = nil) {
        findings.append((name, isTrue, isTrue ? "" : screen ?? rig.screen))
    }

    /// The longest wait for something, in seconds. After a failure, most of what follows would wait in vain.
    var patience: Double { failures > 0 || findings.contains { !$0.isTrue } ? 2 : 30 }

    /// Notes something that is expected of the server, or of the time at which it answers. A replay has no server.
    func checkServer(_ name: String, _ isTrue: @autoclosure () -> Bool) {
        if !rig.isReplay { check(name, isTrue()) }
    }

    /// Waits for something that is expected to become true.
    func check(_ name: String, _ isTrue: () -> Bool) async {
        let end = Date(timeIntervalSinceNow: patience)
        while !isTrue(), Date() < end { try? await Task.sleep(for: .milliseconds(5)) }
        check(name, isTrue())
    }

    /// Notes that a text is expected to be on the screen.
    func checkScreen(_ texts: String...) {
        let screen = rig.screen
        for text in texts { check("the screen shows “\(text)”", screen.contains(text)) }
    }

    private func report(_ differences: [String]) {
        for finding in findings where finding.isTrue { print("      checked   \(finding.name)") }
        let untrue = findings.filter { !$0.isTrue }.map { "expected that \($0.name), got:\n\($0.screen)" }
        for difference in differences + untrue { print("      FAILED: \(difference)") }
        if differences.isEmpty, untrue.isEmpty { print("      ok") } else { failures += 1 }
        fflush(nil)  // A file shows how far the script is.
    }
}
