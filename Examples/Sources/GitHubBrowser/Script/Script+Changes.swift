import EmbeddedGitHub
import Foundation
import GitHubClient
import Siesta
import SiestaTesting

extension Script {
    /// Changes that a person makes while the server is gone, in an app that is killed again and again.
    func playChanges() async {
        signal(SIGPIPE, SIG_IGN)  // The app may be dead when a key is sent to it.
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("changes-\(UUID().uuidString)")
        defer {
            for suffix in ["", ".changes"] { try? FileManager.default.removeItem(atPath: folder.path + suffix) }
        }
        do {
            try useServer()
            let stage = AppStage(script: self, server: rig.server, folder: folder)
            try await stage.play()
        } catch {
            await act("The app runs in a process of its own") { check("it can be started: \(error)", false) }
        }
    }
}

/// The scenes with an app in a process of its own.
@MainActor
private struct AppStage {
    let script: Script
    let server: EmbeddedGitHub
    let folder: URL
    private let repository = Repository.ID(owner: "lanternworks", name: "lucid-anchor")

    func play() async throws {
        var app = try start()
        await script.act("An app in a process of its own: an account and a repository are loaded") {
            await see(app, "Lanternworks · organisation", "1 of 139")
            app.press("enter")
            await see(app, "lanternworks/lucid-anchor", "☆ 81", "Contributors 1")
            app.press("left")
            await see(app, "Lanternworks · organisation")
        }
        await script.act("The server is gone: each change shows at once, with a mark") {
            server.stop()
            app.press("f")
            await see(app, "✓ followed saving", "⇡1")
            app.press("enter", "s")
            await see(app, "★ 82 saving", "⇡2")
            app.describe("A better text")
            await see(app, "A better text saving", "⇡3")
            app.describe("The best text")
            await see(app, "The best text saving", "⇡4")
            app.press("c")
            await see(app, "PUT     /user/following/lanternworks", "PATCH   /repos/lanternworks/lucid-anchor")
        }
        app = try await playDeaths(of: app)
        try await playConflicts(app)
    }

    private func start() throws -> AppProcess {
        try AppProcess(server: server.baseURL, cache: folder, token: EmbeddedGitHub.token)
    }

    // MARK: Deaths

    private func playDeaths(of app: AppProcess) async throws -> AppProcess {
        var app = app
        await app.kill()
        app = try start()
        await script.act("Killed, and started again without a server: all changes show, over the data of then") {
            await seeChanges(app)
        }
        await app.quit()
        app = try start()
        await script.act("Quit, and started again: the same") { await seeChanges(app) }
        await script.act("The server is back, and carries out changes, but its responses are lost. The app is killed") {
            server.behaviour.fault = .noAnswer
            revive()
            app.press("r")
            await script.check("the server knows the star and the follower") { applied("PUT").count == 2 }
            await app.kill()
        }
        app = try start()
        await script.act("Started again, and killed in the middle of the response to the first description") {
            server.behaviour = EmbeddedGitHub.Behaviour(bytesPerSecond: 3_000)
            await script.check("the server knows the first description") { applied("PATCH").count == 1 }
            await app.kill()
        }
        app = try start()
        await script.act("Started again: the rest is sent, and the server has carried out each change exactly once") {
            server.behaviour = EmbeddedGitHub.Behaviour()
            await see(app, not: "⇡")
            app.press("enter")
            await see(app, "★ 82 ", "The best text", not: "saving", "⇡")
            let expected = [
                "PATCH /repos/lanternworks/lucid-anchor {\"description\":\"A better text\"}",
                "PATCH /repos/lanternworks/lucid-anchor {\"description\":\"The best text\"}",
                "PUT /user/following/lanternworks ", "PUT /user/starred/lanternworks/lucid-anchor ",
            ]
            script.check(
                "each change once, and descriptions in order", applied("PATCH") + applied("PUT").sorted() == expected)
        }
        return app
    }

    private func seeChanges(_ app: AppProcess) async {
        await see(app, "Lanternworks · organisation", "✓ followed saving", "⇡4")
        app.press("enter")
        await see(app, "★ 82 saving", "The best text saving", "⇡4")
    }

    // MARK: Conflicts

    private func playConflicts(_ app: AppProcess) async throws {
        var app = app
        for (key, answer) in [("1", "Mine"), ("2", "Theirs")] {
            await script.act("The server is gone, and another description is written. The app is killed") {
                server.stop()
                app.describe("Mine \(key)")
                await see(app, "Mine \(key) saving", "⇡1")
                await app.kill()
            }
            app = try start()
            await script.act("Meanwhile, somebody else has changed the description: the app asks. \(answer)") {
                revive()
                await changeElsewhere("Theirs \(key)")
                await see(app, "Somebody else has changed the description", "Mine \(key)", "Theirs \(key)")
                app.press(key)
                await see(app, not: "⇡", "Somebody else")
                app.press("enter")
                await see(app, "\(answer) \(key)", not: "saving")
                let last = applied("PATCH").last ?? ""
                script.check("the server has the answer", last.contains("\(answer) \(key)"))
            }
        }
        await script.act("A description that the server refuses waits for a decision") {
            let before = applied("PATCH")
            app.describe(String(repeating: "too long ", count: 40))
            await see(app, "too long", "✗1", "Validation Failed")
            app.press("c")
            await see(app, "refused: Validation Failed")
            app.press("d")
            await see(app, "None.", not: "✗1")
            app.press("left")
            await see(app, "Theirs 2", not: "too long")
            script.check("the server has carried out nothing", applied("PATCH") == before)
        }
        await app.quit()
    }

    private func changeElsewhere(_ text: String) async {
        let other = GitHubAPI(baseURL: server.baseURL, token: EmbeddedGitHub.token)
        await other.repository(repository).resource.load().completion()
        await other.setDescription(text, of: repository).request.completion()
        await other.outbox?.close()
    }

    // MARK: Looking

    private func revive() {
        do { try server.restart() } catch { script.check("the server starts again", false) }
    }

    /// The writes that the server has carried out, in their order.
    private func applied(_ method: String) -> [String] {
        server.applied.filter { $0.method == method }.map { "\($0.method) \($0.target) \($0.body)" }
    }

    /// Waits until the screen shows some texts, and does not show others.
    private func see(_ app: AppProcess, _ texts: String..., not others: String...) async {
        let seen = await app.screen { screen in
            texts.allSatisfy(screen.contains) && !others.contains { screen.contains($0) }
        }
        let names = texts.map { "“\($0)”" } + others.map { "no “\($0)”" }
        script.check("the screen shows \(names.joined(separator: ", "))", seen.isWanted, on: seen.text)
    }
}
