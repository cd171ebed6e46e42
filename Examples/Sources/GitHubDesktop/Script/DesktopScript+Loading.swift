#if GTK
import CGTK
import EmbeddedGitHub
import GitHubClient
import Siesta
import SiestaGTK
import SiestaUI

/// Loads, and what happens when they fail.
extension DesktopScript {
    func playLoading() async {
        await step("Start: a sign of activity covers the page, until the slow server has answered") {
            window.present()
            try await until("an activity indicator, which covers the page") {
                window.widget.allNamed("Loading").contains(where: \.isUncovered)
                    && window.widget.label("lanternworks")?.isUncovered == false
            }
            try await photograph("loading")
            try await untilShown("Lanternworks", "organisation · Rotterdam", "server: normal · anonymous")
            try await untilIdle()
            try await until("a page without a cover") { window.widget.label("Lanternworks")?.isUncovered == true }
            let targets = server.served.map(\.target).filter { !$0.hasPrefix("/avatars/") }.sorted()
            try check(
                "one request for each part of the page, although several widgets show it",
                targets == ["/users/lanternworks", "/users/lanternworks/repos?per_page=30&sort=pushed"])
            server.behaviour = EmbeddedGitHub.Behaviour()
        }
        await step("Each button and each list has a name for screen readers") {
            let nameless = window.widget.visibleDescendants.filter { $0.isButton && !$0.hasName }
            try check("no button without a name", nameless.isEmpty)
            try check("a list with a name", window.widget.named("Repositories") != nil)
            try check("an entry with a name", window.widget.named("Search") != nil)
            try await until("an avatar with a name") { window.widget.named("Avatar of lanternworks") != nil }
        }
        await step("A row is opened by a click, another page by keys") {
            let row = try await found("the name of a repository") {
                window.widget.visibleDescendants.first { $0.labelText == "amber-beacon" && $0.isUncovered }
            }
            try await person.click(row)
            try await untilShown("lanternworks/amber-beacon", "Contributors")
            try await untilIdle()
            try await person.press("alt+Left")
            try await untilShown("organisation · Rotterdam")
            try await person.press("alt+Right")
            try await untilShown("lanternworks/amber-beacon")
            try await person.press("Escape")
            try await untilShown("organisation · Rotterdam")
        }
    }

    func playFailures() async {
        await step("The server fails: a banner counts down to the next attempt, over data that stays readable") {
            try await choose("Failing")
            try await untilShown("server: failing")
            try await person.press("ctrl+r")
            try await checkWords("Trying again · Server Error · in ")
            try await photograph("retrying")
            try await untilShown("organisation · Rotterdam", "lucid-anchor")
        }
        await step("A person does not wait: the last attempt fails, too, and the banner says so") {
            try await exhaust()
            try await untilIdle()
            try await checkWords("Could not load · Server Error")
            try await untilShown("organisation · Rotterdam", "lucid-anchor")
        }
        await step("Retry: recovered") {
            try await choose("Normal")
            try await click("Retry")
            try await untilIdle()
            try await until("no banner") { window.widget.label("Could not load") == nil }
        }
        await step("The server is gone: a search without data is covered by a failure") {
            try await choose("Gone")
            try await person.press("ctrl+f")
            try await person.type("mira")
            try await until("a search for the whole text") {
                (window.browser.screen as? SearchModel)?.text == "mira" && !window.browser.screen.isBusy
            }
            try await exhaust()
            try await checkWords("Could not load · Could not connect to the server")
            try await photograph("failure")
        }
        await step("The server is back: retry") {
            try await choose("Normal")
            try await click("Retry")
            try await untilShown("mira-sato")
            try await until("no cover") { window.widget.label("Could not load") == nil }
        }
        await step("Offline: requests wait for the network, and are sent when it returns") {
            try await choose("Offline")
            try await untilShown("offline · server: normal")
            try await person.press("F5")
            try await checkWords("Waiting for the network")
            try check("the results stay", window.widget.label("mira-sato") != nil)
            try await choose("Offline")
            try await untilIdle()
            try await until("no banner") { window.widget.label("Waiting for the network") == nil }
        }
    }

    /// Waits until all loads have failed. Whenever loads wait for their next attempt, clicks on the button that ends the
    /// wait.
    private func exhaust() async throws {
        let waits = { self.window.browser.screen.monitor.resources.compactMap { $0.retry?.attempt } }
        while window.browser.isLoading {
            let before = waits()
            // The wait may end by itself before the click, and the button with it.
            if !before.isEmpty, let button = window.widget.label("Retry") { try? await person.click(button) }
            try await until("the next attempt, or the end") { waits() != before || !window.browser.isLoading }
        }
    }
}
#endif
