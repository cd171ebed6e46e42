import EmbeddedGitHub
import GitHubClient
import Siesta
import TerminalKit

extension Script {
    /// Data that is fresh as long as the headers of its response say, and its use when it is stale.
    func playFreshness() async {
        guard await hasServer(for: .freshness) else { return }
        await step(
            "A resource by the rules of HTTP: its freshness counts down",
            observed: heard(
                "observerAdded requested newData(network)", Addresses.account("lanternworks") + Addresses.zen),
            served: answered("200 GET", Addresses.account("lanternworks") + Addresses.zen)
        ) {
            rig.start()
            await rig.idle()
            rig.press(.character("z"))
            await rig.idle()
            checkScreen("Reason: Cache-Control: max-age=30", "▸ fresh                   for 25 s", "Age: 5")
            rig.advance(by: 1)
            checkScreen("▸ fresh                   for 24 s")
            rig.advance(by: 9)
            checkScreen("▸ fresh                   for 15 s")
        }
        await step("Used while it is fresh: no request") {
            await use()
            checkScreen("fresh, without a request · Age: 15")
        }
        await step(
            "Used in the window of stale-while-revalidate: the old sentence at once, the new one a moment later",
            observed: heard("requested newData(network)", Addresses.zen),
            served: answered("200 GET", Addresses.zen, "conditional")
        ) {
            let old = zen.content ?? ""
            rig.advance(by: 20)
            checkScreen("▸ stale-while-revalidate  for 55 s", "fresh                   over")
            rig.server.behaviour.latency = .infinity
            await use()
            checkServer("the server has still to answer", zen.isLoading)
            checkServer("the old sentence is on view", zen.content == old)
            checkScreen("Used: \(old)", "stale-while-revalidate, at once; a load runs · Age: 35")
            await serveAgain()
            check("the server has sent a new sentence", zen.content != old)
            checkScreen("▸ fresh                   for 25 s", zen.content ?? "")
        }
        await step(
            "Used after the window, without a server: stale-if-error",
            observed: heard("requested error", Addresses.zen)
        ) {
            rig.advance(by: 120)
            checkScreen("▸ stale-if-error          for 8:25")
            rig.server.stop()
            rig.press(.enter)
            await rig.until("a load") { zen.isLoading }
            await rig.exhaust()
            checkScreen("Used: \(zen.content ?? "")", "stale-if-error; the load has failed", "Could not connect")
        }
    }

    private var zen: TypedResource<String> { rig.browser.model.api.zen }

    /// Uses the sentence, and waits for the outcome.
    private func use() async {
        rig.press(.enter)
        await rig.until("an outcome") { !rig.browser.model.screen.isBusy }
    }

    /// Cuts the connections on which requests wait for ever, and answers the requests when they are sent again.
    private func serveAgain() async {
        rig.server.behaviour.latency = 0
        do { try rig.server.restart() } catch { check("the server starts again", false) }
        await rig.exhaust()
    }
}
