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
            try await useServer(for: nil)
            guard let server = rig.server.embedded else { return }
            let stage = AppStage(script: self, server: server, folder: folder)
            try await stage.play()
        } catch {
            await act("The app runs in a process of its own") { check("it can be started: \(error)", false) }
        }
    }
}

/// The scenes with an app in a process of its own.
@MainActor
struct AppStage {
    let script: Script
    let server: EmbeddedGitHub
    let folder: URL
    let repository = Repository.ID(owner: "lanternworks", name: "lucid-anchor")

    func play() async throws {
        var app = try start()
        await script.act("An app in a process of its own: an account and a repository are loaded") {
            await see(app, "Lanternworks · organisation", "1 of 139", not: "✓ followed")
            app.press("enter")
            await see(app, "lanternworks/lucid-anchor", "☆ 81", "Contributors 3")
            app.press("left", "down", "enter")
            await see(app, "lanternworks/amber-beacon", "☆ 11", "Contributors")
            app.press("left", "up")
            await see(app, "Lanternworks · organisation")
        }
        await script.act("The server is gone: each change shows at once, with a mark") {
            server.stop()
            app.press("f")
            await see(app, "✓ followed saving", "⇡1")
            app.press("down", "enter", "s")
            await see(app, "★ 12 saving", "⇡2")
            app.press("left", "up", "enter")
            app.describe("A better text")
            await see(app, "A better text saving", "⇡3")
            app.describe("The best text")
            await see(app, "The best text saving", "⇡4")
            app.press("c")
            await see(
                app, "PUT     /user/following/lanternworks", "PUT     /user/starred/lanternworks/amber-beacon",
                "PATCH   /repos/lanternworks/lucid-anchor", "waits for the one before")
        }
        app = try await playDeaths(of: app)
        try await playConflicts(app)
    }

    func start() throws -> AppProcess {
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
        await script.act("The server carries out changes, but its responses are lost. The app is killed while it waits")
        {
            server.behaviour.fault = .silentWrites
            revive()
            app.press("r", "c")
            await checkSending(app)
            await app.kill()
        }
        app = try start()
        await script.act("Started again, the changes are sent again. The app is killed again") {
            app.press("c")
            await checkSending(app)
            await script.check("the server has received all of them twice") { sentAgain == 3 }
            await app.kill()
        }
        server.behaviour = EmbeddedGitHub.Behaviour()
        app = try start()
        await script.act("Responses arrive: the rest is sent, and the server has carried out each change exactly once")
        {
            await see(app, "Lanternworks · organisation", "✓ followed", not: "⇡", "saving")
            app.press("down", "enter")
            await see(app, "lanternworks/amber-beacon", "★ 12 ", not: "saving", "⇡")
            app.press("left", "up", "enter")
            await see(app, "The best text", not: "saving", "⇡")
            checkRecord()
        }
        return app
    }

    private func seeChanges(_ app: AppProcess) async {
        await see(app, "Lanternworks · organisation", "✓ followed saving", "⇡4")
        app.press("enter")
        await see(app, "lanternworks/lucid-anchor", "The best text saving", "⇡4")
        app.press("left", "down", "enter")
        await see(app, "lanternworks/amber-beacon", "★ 12 saving", "⇡4")
        script.check("the server knows nothing yet", server.applied.isEmpty)
    }

    /// The changes of which the server has received more than one request.
    private var sentAgain: Int {
        let writes = server.served.filter { $0.status == nil }.map(\.target)
        return Set(writes).count { target in writes.count { $0 == target } > 1 }
    }

    /// Waits until the server has carried out all changes but the last, which waits for the one before.
    private func checkSending(_ app: AppProcess) async {
        await script.check("the server has carried out three changes") {
            applied("PUT").count == 2 && applied("PATCH").count == 1
        }
        await see(app, "is being sent", "waits for the one before", "⇡4", not: "tried")
    }

    /// Compares the record of the server with the changes of the user.
    private func checkRecord() {
        let expected = [
            "PATCH /repos/lanternworks/lucid-anchor {\"description\":\"A better text\"}",
            "PATCH /repos/lanternworks/lucid-anchor {\"description\":\"The best text\"}",
            "PUT /user/following/lanternworks ", "PUT /user/starred/lanternworks/amber-beacon ",
        ]
        let record = applied("PATCH") + applied("PUT").sorted()
        let served = server.served.suffix(60).map(\.line).joined(separator: "\n")
        script.check("each change once, and descriptions in order", record == expected, on: "\(record)\n\(served)")
    }
}

// MARK: Looking

extension AppStage {
    /// Changes the description as somebody else.
    func changeElsewhere(_ text: String) async {
        let other = GitHubAPI(baseURL: server.baseURL, token: EmbeddedGitHub.token)
        await other.repository(repository).resource.load().completion()
        await other.setDescription(text, of: repository).request.completion()
        await other.outbox?.close()
    }

    /// Starts the server again.
    func revive() {
        do { try server.restart() } catch { script.check("the server starts again", false) }
    }

    /// The writes that the server has carried out, in their order.
    func applied(_ method: String) -> [String] {
        server.applied.filter { $0.method == method }.map { "\($0.method) \($0.target) \($0.body)" }
    }

    /// Waits until the screen shows some texts, and does not show others.
    func see(_ app: AppProcess, _ texts: String..., not others: String...) async {
        let seen = await app.screen(within: script.patience) { screen in
            !screen.isEmpty && texts.allSatisfy(screen.contains) && !others.contains { screen.contains($0) }
        }
        let names = texts.map { "“\($0)”" } + others.map { "no “\($0)”" }
        script.check("the screen shows \(names.joined(separator: ", "))", seen.isWanted, on: seen.text)
    }
}
