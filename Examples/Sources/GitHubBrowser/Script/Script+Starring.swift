import EmbeddedGitHub
import GitHubClient
import Siesta
import SiestaTesting
import TerminalKit

extension Script {
    /// Signing in, and changes that show before the server knows.
    func playStarring() async {
        await step(
            "A star needs a user",
            observed: heard("observerAdded requested notModified", [Addresses.repository])
                + heard("observerAdded", [Addresses.detail[1], Addresses.detail[2]]),
            served: answered("304 GET", [Addresses.repository], "conditional")
        ) {
            rig.withClock { rig.browser.model.open(.repository(Self.subject)) }
            await rig.idle()
            rig.press(.character("s"))
            checkScreen("☆ 81", "Sign in to star · t: sign in")
        }
        await step(
            "Sign in: all is forgotten and loaded again, with the token",
            observed: heard("observerAdded requested newData(network)", Addresses.detail + [Addresses.star]),
            served: signedIn + answered("200 GET", Addresses.detail, "with token")
                + answered("404 GET", [Addresses.star], "with token")
        ) {
            rig.press(.character("t"), .character("1"))
            await rig.idle()
            checkScreen("normal · mira-sato", "☆ 81")
        }
        await step(
            "Star: shown at once, before the server has heard of it; then the server's count is loaded",
            observed: heard(
                "newData(localOverride) newData(network) requested newData(network)", [Addresses.repository])
                + heard("newData(localOverride) newData(network)", [Addresses.star]),
            served: answered("204 PUT", [Addresses.star], "with token")
                + answered("200 GET", [Addresses.repository], "with token")
        ) {
            rig.server.behaviour.latency = 0.1
            rig.press(.character("s"))
            checkScreen("★ 82 saving")
            checkServer("the server has not heard of it", rig.requests.isEmpty)
            await rig.idle()
            checkScreen("★ 82 ")
        }
        leaveMinute()
        await step(
            "Unstar and star again while the server fails: shown at once, and kept",
            observed: heard("newData(localOverride) newData(localOverride)", [Addresses.repository, Addresses.star]),
            served: refreshed + answered("500 DELETE", 4 * [Addresses.star], "with token")
        ) {
            rig.server.behaviour.fault = .serverError
            rig.press(.character("s"))
            await rig.until("the first attempt") { rig.screen.contains("Trying again") }
            checkScreen("☆ 81 saving", "Trying again · Server Error · in 1 s (1 of 3)", "⇡1 · server")
            rig.press(.character("s"))
            await rig.exhaustAttempts()
            await rig.browser.model.api.outbox?.settled()  // Otherwise the wait could begin after the next key.
            checkScreen("★ 82 saving", "⇡2 · server")
        }
        await step(
            "The server works again: both changes are sent in their order",
            observed: heard(
                "newData(network) newData(network) requested newData(network)", [Addresses.repository])
                + heard("newData(network) newData(network)", [Addresses.star]),
            served: answered("204 DELETE", [Addresses.star], "with token")
                + answered("204 PUT", [Addresses.star], "with token")
                + answered("200 GET", [Addresses.repository], "with token")
        ) {
            rig.press(.character("1"))
            await rig.idle()
            checkScreen("★ 82 ")
            let writes = rig.server.applied.filter { $0.target == Addresses.star }.map(\.method)
            checkServer("the last one has won", writes.suffix(2) == ["DELETE", "PUT"])
        }
        await playStars()
        await step(
            "Unstar",
            observed: heard(
                "newData(localOverride) newData(network) requested newData(network)", [Addresses.repository])
                + heard("newData(localOverride) newData(network)", [Addresses.star]),
            served: refreshed + answered("204 DELETE", [Addresses.star], "with token")
                + answered("200 GET", [Addresses.repository], "with token")
        ) {
            rig.press(.character("s"))
            checkScreen("☆ 81 saving")
            await rig.idle()
            checkScreen("☆ 81 ")
        }
        await playTags()
        await step(
            "Sign out: forgotten, and loaded again without the token",
            observed: heard("observerAdded requested newData(network)", Addresses.detail),
            served: answered("200 GET", Addresses.detail)
        ) {
            rig.press(.character("t"))
            await rig.idle()
            checkScreen("anonymous", "☆ 81")
        }
    }

    /// A list that is polled.
    private func playStars() async {
        let other = GitHubAPI(baseURL: rig.server.baseURL, token: EmbeddedGitHub.token)
        let id = Repository.ID(owner: "brass-otter", name: "cribbage")
        await step(
            "The starred repositories",
            observed: heard("observerAdded requested newData(network)", [Addresses.stars]),
            served: answered("200 GET", [Addresses.stars], "with token")
        ) {
            rig.press(.character("*"))
            await rig.idle()
            checkScreen("Stars", "lucid-anchor", "network")
        }
        await step(
            "A minute later, without a key: the list is asked for again",
            observed: heard("requested notModified", [Addresses.stars]),
            served: refreshed + answered("304 GET", [Addresses.stars], "conditional", "with token")
        ) {
            rig.advance(by: 59)
            checkServer("nothing has been asked for a minute", rig.requests.isEmpty)
            rig.advance(by: 1)
            await rig.idle()
            checkScreen("updated just now · 304")
        }
        await step(
            "Another app stars a repository: the list shows it within a minute",
            observed: heard("requested newData(network)", [Addresses.stars]),
            served: refreshed + answered("204 PUT", ["/user/starred/\(id.owner)/\(id.name)"], "with token")
                + answered("200 GET", [Addresses.stars], "conditional", "with token")
        ) {
            await rig.elsewhere { await other.star(of: id).request(.put).completion() }
            rig.advance(by: 60)
            await rig.idle()
            checkScreen(id.name)
        }
        await step(
            "Back: the list is not asked for any more, because it is not on view",
            observed: heard("observerAdded requested notModified", [Addresses.repository])
                + heard("observerAdded requested newData(network)", [Addresses.star])
                + heard("observerAdded", [Addresses.detail[1], Addresses.detail[2]]),
            served: answered("304 GET", [Addresses.repository], "conditional", "with token")
                + answered("204 GET", [Addresses.star], "with token")
        ) {
            rig.press(.left)
            await rig.idle()
            rig.advance(by: 200)
            await rig.idle()
        }
    }
}
