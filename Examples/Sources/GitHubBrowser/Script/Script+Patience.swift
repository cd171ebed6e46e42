import EmbeddedGitHub
import GitHubClient
import Siesta
import TerminalKit

extension Script {
    /// Slow answers, and answers that nobody waits for any more.
    func playPatience() async {
        await step(
            "A slow server: progress from the first byte to the last",
            observed: heard("observerAdded requested newData(network)", Addresses.account("yuzu-kobo")),
            served: answered("200 GET", Addresses.account("yuzu-kobo"))
        ) {
            rig.server.behaviour.bytesPerSecond = 80_000
            rig.withClock { rig.browser.model.open(.account("yuzu-kobo")) }
            await rig.whileTimePasses {
                await rig.until("a progress bar") { rig.screen.contains("█") }
                await rig.idle()
            }
            let list = rig.browser.model.api.repositories(of: "yuzu-kobo")
            check("progress grows step by step", rig.hasSeenProgress(of: list.resource))
            checkScreen("柚子工房", "1 of 26")
        }
        await step(
            "Left before the answer: nobody observes, so the requests are cancelled",
            observed: heard("observerAdded requested", Addresses.account("ngozi-adeleke"))
                + heard("observerAdded", Addresses.account("yuzu-kobo"))
        ) {
            rig.server.behaviour = EmbeddedGitHub.Behaviour(latency: .infinity)
            let account = rig.browser.model.api.account("ngozi-adeleke").resource
            rig.withClock { rig.browser.model.open(.account("ngozi-adeleke")) }
            check("a request is under way", account.isLoading)
            rig.press(.left)
            rig.advance(by: 0.1)
            await rig.until("a cancelled request") { !account.isRequesting }
            check("nothing has come of it", account.latestData == nil && account.latestError == nil)
            checkScreen("柚子工房", "memory ×2")
            // The server may have read a request that was cancelled, and must not answer it later.
            do { try rig.server.restart() } catch { check("the server starts again", false) }
        }
        await step("The log tells where answers came from") {
            rig.server.behaviour = EmbeddedGitHub.Behaviour()
            await rig.until("the log of a cancelled request") {
                rig.browser.log.entries.contains { $0.text.contains("Cancelled GET") }
            }
            let kinds = Set(rig.browser.log.entries.map(\.kind))
            check("some from memory", kinds.contains(.memory))
            check("some confirmed by the server", kinds.contains(.notModified))
            check("some from the network", kinds.contains(.network))
            rig.press(.character("l"))
            checkScreen("SiestaLog", "Cancelled GET")
            rig.press(.character("l"))
        }
    }
}
