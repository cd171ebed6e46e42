import EmbeddedGitHub
import GitHubClient
import Siesta
import SiestaTesting
import TerminalKit

extension Script {
    /// Data that follows the server: an event, a stream that is cut, changes meanwhile, and the recovery. It is not recorded,
    /// because a stream has no end.
    func playLive() async {
        do { try await useServer(for: nil) } catch {
            return await act("A server for live data") { check("it can be started: \(error)", false) }
        }
        let other = GitHubAPI(baseURL: rig.server.baseURL, token: EmbeddedGitHub.token)
        // A load that began before the stream was open is repeated.
        await act("Watch a repository: one stream for its stars and the feed") {
            rig.start()
            await rig.idle()
            rig.withClock { rig.browser.model.open(.repository(Self.subject)) }
            await rig.idle()
            rig.press(.character("w"))
            await untilLive()
            checkScreen("lanternworks/lucid-anchor ☆ 81", "None yet.", "● Live")
            let loads = rig.requests.filter { !$0.hasPrefix("304") }.sorted()
            let expected = Addresses.account("lanternworks") + Addresses.detail + Addresses.live + [Addresses.stream]
            check("there is one stream, and one load of each resource", loads == answered("200 GET", expected).sorted())
            let repeated = rig.requests.filter { $0.hasPrefix("304") }.sorted()
            let live = answered("304 GET", Addresses.live, "conditional").sorted()
            check("what was repeated is live: \(repeated)", Set(repeated).isSubset(of: live) && repeated.count <= 2)
        }
        await step(
            "Another app stars the repository: shown at once, without a load",
            observed: heard("newData(network)", Addresses.live),
            served: answered("204 PUT", [Addresses.star], "with token")
        ) {
            await other.star(of: Self.subject).request(.put).completion()
            await rig.until("an event") { shows("☆ 82", "mira-sato starred lanternworks/lucid-anchor") }
            checkScreen("● Live")
        }
        await step("A key cuts the stream: a quiet line says so, and the data stays") {
            rig.press(.character("k"))
            await rig.until("the line") { shows("○ Reconnecting") }
            check("there is no error", !rig.screen.contains("✗"))
            check("nothing is loaded", !rig.browser.model.isLoading)
            checkScreen("The stream is cut", "☆ 82")
        }
        await act("Changes on the server, which the screen cannot know, and an attempt that fails") {
            await other.star(of: Self.subject).request(.delete).completion()
            await other.following("old-rope").request(.put).completion()
            await rig.whileTimePasses {
                await rig.until("an attempt") { rig.requests.contains("--- GET \(Addresses.stream)") }
            }
            checkScreen("☆ 82", "○ Reconnecting")
        }
        // Both changes of the feed may arrive in one piece, and are then announced once.
        await act("The stream is permitted again: what was missed arrives, without a gap and without a load") {
            rig.press(.character("k"))
            await rig.whileTimePasses {
                await rig.until("the changes") {
                    shows("☆ 81", "mira-sato unstarred lanternworks/lucid-anchor", "mira-sato followed old-rope")
                }
                await untilLive()
            }
            checkScreen("mira-sato starred lanternworks/lucid-anchor", "● Live")
            let loads = rig.requests.filter { $0.hasPrefix("200 GET") && !$0.contains(Addresses.stream) }
            check("nothing is loaded", loads.isEmpty)
        }
    }

    /// Waits until the server reports each change of what is on view.
    private func untilLive() async {
        let api = rig.browser.model.api
        await rig.until("live data") { api.starCount(of: Self.subject).live.isLive && api.feed.live.isLive }
        await rig.idle()
    }

    private func shows(_ texts: String...) -> Bool {
        let screen = rig.screen
        return texts.allSatisfy { screen.contains($0) }
    }
}
