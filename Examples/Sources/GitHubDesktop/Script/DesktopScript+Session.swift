#if GTK
import CGTK
import EmbeddedGitHub
import GitHubClient
import Siesta
import SiestaGTK

/// Stars, and signing in and out.
extension DesktopScript {
    func playSession() async {
        await step("A star needs a user") {
            window.browser.open(.repository(Repository.ID(owner: "lanternworks", name: "lucid-anchor")))
            try await untilShown("lanternworks/lucid-anchor", "☆ 81")
            try await untilIdle()
            try await click("Star")
            try await untilShown("Sign in to star", "☆ 81")
        }
        await step("Sign in: all is loaded again, for the user") {
            try await click("Sign in")
            try await until("a dialog") { window.signInWidget != nil }
            try await click("mira-sato", in: window.signInWidget)
            try await until("no dialog") { window.signInWidget == nil }
            try await untilShown("server: normal · mira-sato", "Signed in as mira-sato", "☆ 81")
            try await untilIdle()
        }
        await step("A star: the server counts it, and the list of stars shows it") {
            try await click("Star")
            try await untilShown("★ 82")
            try await until("a star that the server knows") { !window.browser.isSaving }
            try await person.press("ctrl+b")
            try await untilShown("Starred repositories", "lucid-anchor")
            try await photograph("stars")
            try await person.press("alt+Left")
            try await untilShown("★ 82")
            try await click("Remove the star")
            try await untilShown("☆ 81")
            try await untilIdle()
        }
        await step("The session expires: a dialog says so, and without a user, the page has no secrets") {
            try await choose("Revoke the Tokens")
            try await untilShown("The server has revoked the tokens of mira-sato")
            try await person.press("F5")
            try await until("a dialog with the reason") {
                window.signInWidget?.visibleTexts.contains { $0.contains("The session of mira-sato has expired") }
                    == true
            }
            try await checkWords("Could not load · Please sign in again")
            try await click("Cancel", in: window.signInWidget)
            try await until("no dialog") { window.signInWidget == nil }
            try await untilShown("server: normal · anonymous", "☆ 81")
            try await untilIdle()
        }
        await step("Sign in as another user, and sign out") {
            try await choose("Sign In as Another User")
            try await until("a dialog") { window.signInWidget != nil }
            try await click("priya-ramanan", in: window.signInWidget)
            try await untilShown("server: normal · priya-ramanan")
            try await click("Sign out")
            try await untilShown("server: normal · anonymous", "Signed out")
            try await untilIdle()
        }
    }
}
#endif
