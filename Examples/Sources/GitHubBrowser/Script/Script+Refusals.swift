import EmbeddedGitHub
import GitHubClient
import Siesta
import TerminalKit

extension Script {
    /// What a healthy server does not want to do.
    func playRefusals() async {
        await step(
            "404: an account that does not exist",
            observed: heard("observerAdded requested error", Addresses.account("nobody-here")),
            served: answered("404 GET", Addresses.account("nobody-here"))
        ) {
            rig.withClock { rig.browser.model.open(.account("nobody-here")) }
            await rig.idle()
            checkScreen("Could not load · Not Found · ←: back")
        }
        await step(
            "422: a search for nothing",
            observed: heard("observerAdded requested error", Addresses.search("%20")),
            served: answered("422 GET", Addresses.search("%20"))
        ) {
            let monitor = ResourceMonitor()
            let search = rig.browser.model.api.search(" ")
            monitor.onEvent = { self.rig.note($1, of: $0) }
            rig.withClock { monitor.watch([search.resource]) }
            await rig.until("an answer to the search") { !search.isLoading }
            check("the error says “Validation Failed”", search.error?.userMessage == "Validation Failed")
            check("the status is 422", search.error?.httpStatusCode == 422)
            rig.withClock { monitor.watch([]) }
        }
        await step(
            "403: the rate limit is used up for 45 s, so the requests wait, and are sent again",
            observed: heard("observerAdded requested notModified", Addresses.detail),
            served: answered("403 GET", Addresses.detail, "conditional")
                + answered("304 GET", Addresses.detail, "conditional")
        ) {
            rig.press(.left, .character("5"), .character("r"))
            await rig.pause()
            rig.advance(by: 1)
            await rig.pause()
            checkScreen("lanternworks/lucid-anchor", "Trying again · The rate limit is used up until", "in 44 s")
            rig.advance(by: 1)
            checkScreen("Trying again · The rate limit is used up until", "in 43 s")
            rig.press(.character("1"))
            rig.advance(by: 42)
            checkScreen("Trying again · The rate limit is used up until", "in 1 s")
            rig.advance(by: 1)
            await rig.idle()
            checkScreen("304 ×3")
        }
        await playLongLimit()
    }

    /// A rate limit that is used up for longer than requests wait.
    private func playLongLimit() async {
        await step(
            "403: the rate limit is used up for half an hour, and until when",
            observed: heard("requested error", Addresses.detail),
            served: answered("403 GET", Addresses.detail, "conditional")
        ) {
            rig.server.behaviour = EmbeddedGitHub.Behaviour(fault: .rateLimited, quotaReset: 1_800)
            rig.press(.character("r"))
            await rig.exhaust()
            check(
                "the screen shows a time of day and counts down",
                rig.screen.contains(/Could not load · The rate limit is used up until \d?\d:\d\d · in 30 min/))
        }
        await step(
            "Retry: the next requests are not sent, and the screen counts down",
            observed: heard("requested error", Addresses.detail)
        ) {
            rig.press(.character("1"), .character("r"))
            await rig.idle()
            checkScreen("Could not load · The server is busy", "in 30 min", "lanternworks/lucid-anchor")
            rig.advance(by: 61)
            checkScreen("Could not load · The server is busy", "in 29 min")
        }
        await step(
            "Half an hour later: recovered",
            observed: heard("requested notModified", Addresses.detail),
            served: answered("304 GET", Addresses.detail, "conditional")
        ) {
            rig.advance(by: 1_800)
            rig.press(.character("r"))
            await rig.idle()
            checkScreen("304 ×3")
        }
        await playOffline()
    }

    private func playOffline() async {
        await step(
            "The network is off: requests wait for it, and are sent when it is on",
            observed: heard("requested notModified", Addresses.detail),
            served: answered("304 GET", Addresses.detail, "conditional")
        ) {
            rig.press(.character("o"), .character("r"))
            await rig.pause()
            checkScreen("offline · server: normal", "Waiting for the network", "lanternworks/lucid-anchor")
            rig.advance(by: 100)
            checkScreen("Waiting for the network")
            checkServer("nothing has reached the server", rig.requests.isEmpty)
            rig.press(.character("o"))
            rig.advance(by: 0.5)
            await rig.idle()
            check("the mark is gone", !rig.screen.contains("offline ·"))
            checkScreen("304 ×3")
        }
        await step(
            "The network is off and on again: what is on view and stale is loaded without a key",
            observed: heard("requested notModified", Addresses.detail),
            served: answered("304 GET", Addresses.detail, "conditional")
        ) {
            rig.press(.character("o"))
            rig.advance(by: 3_600)
            checkScreen("offline · server: normal", "updated 1 h ago")
            rig.press(.character("o"))
            await rig.idle()
            checkScreen("updated just now · 304 ×3")
        }
    }
}
