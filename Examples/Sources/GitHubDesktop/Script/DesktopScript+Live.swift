#if GTK
import CGTK
import EmbeddedGitHub
import GitHubClient
import Siesta
import SiestaGTK

/// Data that follows the server.
extension DesktopScript {
    func playLive() async {
        let repository = Repository.ID(owner: "lanternworks", name: "lucid-anchor")
        let other = GitHubAPI(baseURL: server.baseURL, token: EmbeddedGitHub.token)
        await step("Live data: a quiet line, and the stars of others as soon as they are given") {
            window.browser.open(.repository(repository))
            try await untilShown("lanternworks/lucid-anchor", "☆ 81")
            try await untilIdle()
            try await choose("Watch the Repository Live")
            try await untilShown("Changes by all users", "☆ 81")
            try await untilLine("Live")
            try await untilIdle()
            _ = try await other.star(of: repository).request(.put).value
            try await untilShown("☆ 82", "mira-sato starred lanternworks/lucid-anchor")
            try check("no load", !window.browser.isLoading)
            try await photograph("live")
        }
        await step("The stream is cut: the line says so, and the data stays") {
            try await choose("Cut the Stream")
            try await untilLine("Reconnecting")
            try check("the number of stars", window.widget.label("☆ 82") != nil)
            try check("no banner", window.widget.label("Could not load") == nil)
            _ = try await other.star(of: repository).request(.delete).value
            try check("the number of stars before", window.widget.label("☆ 82") != nil)
        }
        await step("The stream is permitted again: the change that was missed arrives") {
            try await choose("Cut the Stream")
            try await untilShown("☆ 81", "mira-sato unstarred lanternworks/lucid-anchor")
            try await untilLine("Live")
            try await person.press("alt+Left")
            try await untilShown("Contributors")
            try await untilIdle()
        }
    }

    private func untilLine(_ text: String) async throws {
        try await until("the line “\(text)”") { self.window.widget.label(text) != nil }
    }
}
#endif
