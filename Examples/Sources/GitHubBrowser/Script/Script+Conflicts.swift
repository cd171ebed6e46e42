import EmbeddedGitHub
import GitHubClient

extension AppStage {
    /// Descriptions that somebody else has changed meanwhile, and one that the server refuses.
    func playConflicts(_ app: AppProcess) async throws {
        var app = app
        for (key, answer) in [("1", "Mine"), ("2", "Theirs"), ("3", "Both")] {
            app = try await playConflict(app, key, answer)
        }
        await playRefusal(app)
        await app.quit()
    }

    private func playConflict(_ app: AppProcess, _ key: String, _ answer: String) async throws -> AppProcess {
        let (mine, theirs) = ("Mine \(key)", "Theirs \(key)")
        await script.act("The server is gone, and a description is edited. The app is killed") {
            server.stop()
            app.describe(mine)
            await see(app, "\(mine) saving", "⇡1")
            await app.kill()
            revive()
            await changeElsewhere(theirs)
            script.check("somebody else has changed the description", applied("PATCH").last?.contains(theirs) == true)
        }
        var app = try start()
        if key == "1" {
            await script.act("Somebody else has changed the description: the app asks, and is killed before the answer")
            {
                await see(app, "Somebody else has changed the description", mine, theirs)
                await app.kill()
            }
            app = try start()
        }
        await script.act("Somebody else has changed the description: the answer is “\(answer)”") {
            await see(app, "Somebody else has changed the description", mine, theirs)
            app.press(key)
            if key == "3" {
                app.press("clear")
                app.type("Both 3")
                await see(app, "Both 3", "⏎ save")
                app.press("enter")
            }
            await see(app, "Lanternworks · organisation", not: "⇡", "Somebody else")
            app.press("enter")
            await see(app, "\(answer) \(key)", not: "saving")
            let record = applied("PATCH").filter { $0.contains(" \(key)\"") }
            let expected = answer == "Theirs" ? [theirs] : [theirs, "\(answer) \(key)"]
            let isRight = zip(record, expected).allSatisfy { $0.contains($1) } && record.count == expected.count
            script.check("the server has carried out \(expected) and nothing else", isRight, on: "\(record)")
        }
        return app
    }

    private func playRefusal(_ app: AppProcess) async {
        let before = applied("PATCH")
        await script.act("A description that the server refuses stays visible, and sending it again changes nothing") {
            app.describe(String(repeating: "too long ", count: 45))
            await see(app, "too long", "saving", "✗1", "Validation Failed")
            app.press("c")
            await see(app, "refused: Validation Failed")
            let count = server.served.count { $0.status == 422 }
            app.press("enter")
            await script.check("the server has refused it again") { server.served.count { $0.status == 422 } > count }
            await see(app, "refused: Validation Failed")
        }
        await script.act("Given up: the description of the server shows") {
            app.press("d")
            await see(app, "None.", not: "✗1")
            app.press("left")
            await see(app, "Both 3", not: "too long", "saving")
            script.check("the server has carried out nothing", applied("PATCH") == before)
        }
    }
}
