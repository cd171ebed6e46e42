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
            rig.withClock { rig.browser.open(.account("nobody-here")) }
            await rig.idle()
            checkScreen("Not Found (404) · ←: back")
        }
        await step(
            "422: a search for nothing",
            observed: heard("observerAdded requested error", Addresses.search("%20")),
            served: answered("422 GET", Addresses.search("%20"))
        ) {
            let monitor = ResourceMonitor()
            let search = rig.browser.api.search(" ")
            monitor.onEvent = { self.rig.note($1, of: $0) }
            rig.withClock { monitor.watch([search.resource]) }
            await rig.until("an answer to the search") { !search.isLoading }
            check("the error says “Validation Failed”", search.error?.userMessage == "Validation Failed")
            check("the status is 422", search.error?.httpStatusCode == 422)
        }
        await step(
            "403: the rate limit, and until when",
            observed: heard("observerAdded requested error", Addresses.detail),
            served: answered("403 GET", Addresses.detail, "conditional")
        ) {
            rig.press(.left, .character("5"), .character("r"))
            await rig.idle()
            check(
                "the screen shows a time of day",
                rig.screen.contains(/The rate limit is used up until \d?\d:\d\d \(403\) · t: log in/))
            checkScreen("lanternworks/lucid-anchor")
        }
        await step(
            "Recovered",
            observed: heard("requested notModified", Addresses.detail),
            served: answered("304 GET", Addresses.detail, "conditional")
        ) {
            rig.press(.character("1"), .character("r"))
            await rig.idle()
            checkScreen("304 ×3")
        }
    }
}
