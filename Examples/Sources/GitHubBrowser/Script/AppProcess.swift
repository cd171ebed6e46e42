import Dispatch
import Foundation
import Siesta

/// The browser in a process of its own, which the script can kill.
@MainActor
final class AppProcess {
    /// The longest wait for an answer of the process, in seconds.
    private static let patience = 30.0

    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())
    private var received = Data()
    private var waiting: CheckedContinuation<String, Never>?
    private var isEnded = false
    /// True if the process has not answered in time. Then later answers would be those to earlier questions.
    private var isStuck = false
    private var ending: [CheckedContinuation<Void, Never>] = []

    /// Starts the browser with a server, a folder for its cache, and the token of a user.
    init(server: URL, cache: URL, token: String) throws {
        process.executableURL = Bundle.main.executableURL
        process.arguments = [
            "--keys", "--live", "--server", server.absoluteString, "--token", token, "--cache", cache.path,
            "lanternworks",
        ]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        // A thread, because libdispatch on Linux can crash when the descriptor of a `readabilityHandler` is closed.
        let handle = output.fileHandleForReading
        Thread.detachNewThread { [weak self] in
            while true {
                let data = handle.availableData
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.receive(data) } }
                if data.isEmpty { return }
            }
        }
    }

    // MARK: Acting

    /// Presses keys one after the other; see ``KeySession``.
    func press(_ keys: String...) {
        for key in keys { send("key \(key)") }
    }

    /// Types a text.
    func type(_ text: String) { send("type \(text)") }

    /// Replaces the description on view.
    func describe(_ text: String) {
        press("e", "clear")
        type(text)
        press("enter")
    }

    /// Kills the process.
    func kill() async {
        Foundation.kill(process.processIdentifier, SIGKILL)
        await ended()
    }

    /// Lets the process quit.
    func quit() async {
        try? input.fileHandleForWriting.close()
        await ended()
    }

    private func send(_ line: String) {
        try? input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    }

    // MARK: Looking

    /// The text on the screen; empty if the process has ended, or does not answer.
    func screen() async -> String {
        guard !isEnded, !isStuck else { return "" }
        let watchdog = DispatchSource.makeTimerSource(queue: .main)
        watchdog.schedule(deadline: .now() + Self.patience)
        watchdog.setEventHandler { [weak self] in
            MainActor.assumeIsolated {
                self?.isStuck = true
                self?.answer("")
            }
        }
        watchdog.activate()
        defer { watchdog.cancel() }
        return await withCheckedContinuation { continuation in
            waiting = continuation
            send("screen")
        }
    }

    /// Waits some seconds for a screen. Returns the last screen, and whether it is as wanted.
    func screen(
        within patience: Double, where isWanted: (String) -> Bool
    ) async -> (text: String, isWanted: Bool) {
        let end = Date(timeIntervalSinceNow: patience)
        var text = await screen()
        while !isWanted(text), !isEnded, !isStuck, Date() < end {
            try? await Task.sleep(for: .milliseconds(50))
            text = await screen()
        }
        return (text, isWanted(text))
    }

    private func receive(_ data: Data) {
        received += data
        if data.isEmpty {
            isEnded = true
            process.waitUntilExit()
            for continuation in ending { continuation.resume() }
            ending = []
        }
        let end = Data("\(KeySession.end)\n".utf8)
        guard let range = received.range(of: end) else {
            if isEnded { answer("") }
            return
        }
        let text = String(decoding: received[..<range.lowerBound], as: UTF8.self)
        received.removeSubrange(..<range.upperBound)
        answer(text)
    }

    private func answer(_ text: String) {
        let continuation = waiting
        waiting = nil
        continuation?.resume(returning: text)
    }

    private func ended() async {
        guard !isEnded else { return }
        await withCheckedContinuation { ending.append($0) }
    }
}
