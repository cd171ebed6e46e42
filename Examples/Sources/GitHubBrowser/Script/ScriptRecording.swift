import Foundation
import Siesta
import SiestaTesting

/// The folder with the recording of a script: a HAR file for each part, and the screen after each step.
@MainActor
final class ScriptRecording {
    /// The parts of the script that are recorded. Each of them has a server of its own.
    enum Part: String {
        case browsing, freshness, restart, session
    }

    /// A recording that cannot be read or written. The text says why.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// The rules by which the recording hides secrets. The challenge of an authorization is random in each run.
    static let redaction: HARRecorder.Redaction = {
        var redaction = HARRecorder.Redaction.standard
        redaction.shownQueryItems = ["page", "per_page", "q", "sort"]
        redaction.secretNames = ["code_challenge"]
        return redaction
    }()

    private let folder: URL
    /// True if the script is played from the recording.
    let isReplay: Bool
    /// The part that is being played; nil if it is not recorded.
    private var part: (name: Part, traffic: Traffic)?
    private var screens: ScreenFile

    /// Creates the folder for a new recording. Replaces the recording that it contains.
    init(recordTo folder: URL) throws {
        (self.folder, isReplay, screens) = (folder, false, ScreenFile())
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Opens a recording.
    init(replay folder: URL) throws {
        (self.folder, isReplay) = (folder, true)
        screens = ScreenFile(text: try String(contentsOf: Self.screensFile(in: folder), encoding: .utf8))
    }

    /// Begins a part, and returns the way in which it gets its responses.
    func begin(_ name: Part) throws -> Traffic {
        let traffic = isReplay ? Traffic.replayed(try replay(of: name)) : .recorded(newRecorder())
        part = (name, traffic)
        return traffic
    }

    /// Ends the part, and writes its file. Returns the recorded requests that a replay has not sent.
    func end() async throws -> [String] {
        guard let (name, traffic) = part else { return [] }
        part = nil
        switch traffic {
        case .network: return []
        case .replayed(let replay): return replay.unusedRequests
        case .recorded(let recorder):
            recorder.stop()
            guard recorder.droppedEntryCount == 0 else { throw Problem(description: "\(name) has too many requests") }
            try checkSecrets(recorder, name)
            try await recorder.write(to: file(of: name))
            return []
        }
    }

    /// Throws an error if the file of a part would contain a secret of its session.
    private func checkSecrets(_ recorder: HARRecorder, _ name: Part) throws {
        let file = try recorder.archive.data
        recorder.redaction = .none
        let secrets = try SessionSecrets(of: recorder.archive).found(in: file)
        recorder.redaction = Self.redaction
        guard secrets.isEmpty else { throw Problem(description: "\(name).har would contain \(secrets.count) secrets") }
    }

    /// Records the screen after a step. A replay compares it, and returns the difference.
    func note(_ screen: String, after title: String) -> String? {
        guard part != nil else { return nil }
        guard isReplay else {
            screens.append(screen, after: title)
            return nil
        }
        return screens.difference(from: screen, after: title)
    }

    /// Writes the screens. Returns the steps of the recording that a replay has not played.
    func finish() throws -> [String] {
        guard !isReplay else { return screens.rest }
        try Data(screens.text.utf8).write(to: Self.screensFile(in: folder), options: .atomic)
        return []
    }

    // MARK: Files

    private func replay(of name: Part) throws -> SessionReplay {
        guard let replay = SessionReplay(try HARArchive(contentsOf: file(of: name))) else {
            throw Problem(description: "the recording of \(name) is empty")
        }
        return replay
    }

    private func newRecorder() -> HARRecorder {
        let recorder = HARRecorder(redaction: Self.redaction)
        recorder.start()
        return recorder
    }

    private func file(of name: Part) -> URL { folder.appendingPathComponent("\(name.rawValue).har") }

    private static func screensFile(in folder: URL) -> URL { folder.appendingPathComponent("screens.txt") }
}
