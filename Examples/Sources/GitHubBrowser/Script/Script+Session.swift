import EmbeddedGitHub
import GitHubClient
import Siesta
import SiestaTesting
import TerminalKit

extension Script {
    /// Two users who sign in with OAuth 2.0 one after the other, and whose tokens live for 20 seconds.
    func playSession() async {
        guard await hasServer(for: .session) else { return }
        await playSignIn()
        await playRefreshes()
        await playRevocation()
        await playAnotherUser()
    }

    /// What the detail of a repository consists of for a user.
    private var detail: [String] { Addresses.detail + [Addresses.star] }

    /// The lines for a detail that the server confirms: the user has not starred the repository.
    private var confirmed: [String] {
        answered("304 GET", Addresses.detail, "conditional", "with token")
            + answered("404 GET", [Addresses.star], "with token")
    }

    /// The lines for a detail that is loaded and confirmed several times.
    private func heardConfirmed(times: Int = 1) -> [String] {
        func line(_ event: String) -> String { (times * ["requested \(event)"]).joined(separator: " ") }
        return heard(line("notModified"), Addresses.detail) + heard(line("newData(network)"), [Addresses.star])
    }

    private func playSignIn() async {
        let (account, following) = (Addresses.account("lanternworks"), Addresses.following("lanternworks"))
        await step(
            "Sign in: the server gives a code for the user, and tokens for the code",
            observed: heard(
                "observerAdded requested newData(network) observerAdded requested newData(network)", account)
                + heard("observerAdded requested newData(network)", [following]),
            served: answered("200 GET", account) + signedIn + answered("200 GET", account, "with token")
                + answered("404 GET", [following], "with token")
        ) {
            rig.start()
            await rig.idle()
            checkScreen("normal · anonymous", "t sign in")
            rig.press(.character("t"))
            checkScreen("GitHub › Sign in", "1    mira-sato", "2    priya-ramanan")
            rig.press(.character("1"))
            await rig.idle()
            checkScreen("normal · mira-sato", "Signed in as mira-sato", "Lanternworks")
            checkServer("there was one token request", rig.server.tokenRequestCount == 1)
        }
        await step(
            "What only this user sees",
            observed: heard("observerAdded requested newData(network)", [Addresses.stars]),
            served: answered("200 GET", [Addresses.stars], "with token")
        ) {
            rig.press(.character("*"))
            await rig.idle()
            checkScreen("harbor", "kissa", "1 of 7")
            checkServer("the token is that of mira-sato", rig.users == ["mira-sato"])
        }
    }

    private func playRefreshes() async {
        await step(
            "A repository, and whether this user has starred it",
            observed: heard("observerAdded requested newData(network)", detail),
            served: answered("200 GET", Addresses.detail, "with token")
                + answered("404 GET", [Addresses.star], "with token")
        ) {
            rig.withClock { rig.browser.model.open(.repository(Self.subject)) }
            await rig.idle()
        }
        await step(
            "The token expires soon: four requests wait for one refresh",
            observed: heardConfirmed(), served: refreshed + confirmed
        ) {
            rig.advance(by: 15)
            rig.server.behaviour.latency = 0.1
            rig.press(.character("r"))
            checkScreen("mira-sato · refreshing", "lucid-anchor")
            await rig.idle()
            rig.server.behaviour.latency = 0
            check("the refresh is over", !rig.screen.contains("refreshing"))
            checkServer("there were two token requests", rig.server.tokenRequestCount == 2)
        }
        await step(
            "The server refuses the token of four requests: one refresh, and all are sent again",
            observed: heardConfirmed(),
            served: answered("401 GET", Addresses.detail, "conditional") + answered("401 GET", [Addresses.star])
                + refreshed + confirmed
        ) {
            rig.server.revokeTokens(of: "mira-sato", keepingRefreshTokens: true)
            rig.press(.character("r"))
            await rig.idle()
            checkServer("there were three token requests", rig.server.tokenRequestCount == 3)
        }
        await step(
            "A minute of browsing: a refresh every 12 seconds, and no error",
            observed: heardConfirmed(times: 5), served: 5 * (refreshed + confirmed)
        ) {
            for _ in 1...5 {
                rig.advance(by: 12)
                rig.press(.character("r"))
                await rig.idle()
                check("there is no error", !rig.screen.contains("✗"))
            }
            checkScreen("normal · mira-sato", "☆ 81")
            checkServer("there were eight token requests", rig.server.tokenRequestCount == 8)
        }
    }

    private func playRevocation() async {
        await step(
            "The server revokes all tokens: the refresh is refused, and the user must sign in",
            observed: heard("requested error", detail),
            served: answered("401 GET", Addresses.detail, "conditional") + answered("401 GET", [Addresses.star])
                + answered("400 POST", [Addresses.tokens])
        ) {
            rig.press(.character("x"))
            checkScreen("The server has revoked the tokens of mira-sato")
            rig.press(.character("r"))
            await rig.until("the sign-in screen") { rig.screen.contains("GitHub › Sign in") }
            await rig.idle()
            checkScreen("session expired", "The session of mira-sato has expired: invalid_grant.", "1    mira-sato")
            check("the repository is not on view", !rig.screen.contains("lucid-anchor"))
        }
        await step("Until then, no request reaches the server, whoever makes it") {
            let stars = rig.browser.model.api.starred.resource
            let (list, star) = (stars.load(), rig.browser.model.api.star(of: Self.subject).request(.put))
            let answers = await [list.completion().response, star.completion().response]
            for answer in answers {
                guard case .failure(let error) = answer else { return check("the request fails", false) }
                check("the error is “\(error.userMessage)”", error.cause is SessionExpired)
            }
            checkServer("nothing has reached the server", rig.requests.isEmpty)
            checkServer("there were nine token requests", rig.server.tokenRequestCount == 9)
        }
    }

    private func playAnotherUser() async {
        await step(
            "Another user signs in: nothing of the first is known, and everything is loaded with the other token",
            observed: heard("observerAdded requested newData(network)", detail),
            served: signedIn + answered("200 GET", Addresses.detail, "with token")
                + answered("404 GET", [Addresses.star], "with token")
        ) {
            rig.press(.character("2"))
            await rig.idle()
            checkScreen("normal · priya-ramanan", "☆ 81")
            checkServer("the token is that of priya-ramanan", rig.users == ["priya-ramanan"])
            check("the stars of mira-sato are gone", rig.browser.model.api.starred.content == nil)
            check("the log tells nothing of them", !rig.browser.log.entries.contains { $0.text.contains("mira") })
        }
        await step(
            "The starred repositories of the other user",
            observed: heard("observerAdded requested newData(network)", [Addresses.stars]),
            served: answered("200 GET", [Addresses.stars], "with token")
        ) {
            rig.press(.left)
            await rig.idle()
            checkScreen("fjordfs", "quorum", "1 of 3")
            check("none of mira-sato's is shown", !rig.screen.contains("harbor") && !rig.screen.contains("kissa"))
            checkServer("the token is that of priya-ramanan", rig.users == ["priya-ramanan"])
        }
        await step(
            "A minute later, the list is asked for again: its poll follows the user",
            observed: heard("requested notModified", [Addresses.stars]),
            served: refreshed + answered("304 GET", [Addresses.stars], "conditional", "with token")
        ) {
            rig.advance(by: 60)
            await rig.idle()
            checkScreen("updated just now · 304")
        }
        await step(
            "Sign out: the list of the user is gone",
            observed: heard("observerAdded requested error", [Addresses.stars]),
            served: answered("401 GET", [Addresses.stars])
        ) {
            rig.press(.character("t"))
            await rig.idle()
            checkScreen("normal · anonymous", "Could not load · Requires authentication · t: sign in")
            check("nothing of the list is shown", !rig.screen.contains("fjordfs"))
            checkServer("no request had a token", rig.users.isEmpty)
        }
        await step(
            "What is public is loaded again, without a token",
            observed: heard("observerAdded requested newData(network)", Addresses.detail),
            served: answered("200 GET", Addresses.detail)
        ) {
            rig.press(.right)
            await rig.idle()
            checkScreen("lanternworks/lucid-anchor", "☆ 81")
            checkServer("no request had a token", rig.users.isEmpty)
        }
    }
}
