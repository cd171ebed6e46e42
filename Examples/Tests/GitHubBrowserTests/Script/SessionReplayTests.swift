import EmbeddedGitHub
import Foundation
import GitHubClient
import SiestaTesting
import TerminalKit
import TestKit
import Testing

@testable import GitHubBrowser

@Suite("A recorded session", .timeLimit(.model))
@MainActor
struct SessionReplayTests {
    /// Plays a session of two users, with a refresh and a refused token. Returns the screens.
    private func play(_ rig: Rig) async -> [String] {
        var screens: [String] = []
        func see() async {
            await rig.idle()
            screens.append(rig.screen)
        }
        rig.start()
        await see()
        rig.press(.character("t"), .character("1"))
        await see()
        rig.press(.character("*"))
        await see()
        rig.advance(by: 60)
        await see()
        rig.server.revokeTokens(of: "mira-sato", keepingRefreshTokens: true)
        rig.press(.character("r"))
        await see()
        rig.press(.character("u"), .character("2"))
        await see()
        rig.press(.character("t"))
        await see()
        await rig.browser.model.quit()
        return screens
    }

    private func record() async throws -> (recorder: HARRecorder, screens: [String]) {
        let recorder = HARRecorder(redaction: ScriptRecording.redaction)
        recorder.start()
        return (recorder, await play(try Rig(traffic: .recorded(recorder))))
    }

    @Test func `contains none of its secrets`() async throws {
        let recorder = try await record().recorder
        let file = try recorder.archive.data
        recorder.redaction = .none
        let secrets = SessionSecrets(of: recorder.archive)
        // Two sign-ins with state, code, verifier and two tokens each, and two refreshes with two tokens each.
        #expect(secrets.values.count == 14)
        #expect(try secrets.found(in: file) == [])
        #expect(try secrets.found(in: recorder.archive.data).count == 14)
    }

    @Test func `shows the same screens without its server`() async throws {
        let (recorder, screens) = try await record()
        let replay = try #require(SessionReplay(recorder.archive))
        let rig = try Rig(traffic: .replayed(replay))
        #expect(rig.server.embedded == nil)
        #expect(await play(rig) == screens)
        #expect(replay.unusedRequests == [])
        #expect(Set(screens).count > 5)
    }

    @Test func `differs if the recording is another one`() async throws {
        let (recorder, screens) = try await record()
        var archive = recorder.archive
        let index = try #require(archive.entries.firstIndex { $0.request.url.hasSuffix("/users/lanternworks") })
        let body = try #require(archive.entries[index].response.body.content)
        let changed = String(decoding: body, as: UTF8.self).replacing("Lanternworks", with: "Lamplighters")
        archive.entries[index].response.body.content = Data(changed.utf8)
        let screen = await play(try Rig(traffic: .replayed(try #require(SessionReplay(archive))))).first
        #expect(screen?.contains("Lamplighters") == true)
        #expect(screen != screens.first)
    }

    @Test func `is not replayed from an empty recording`() {
        #expect(SessionReplay(HARArchive()) == nil)
    }
}
