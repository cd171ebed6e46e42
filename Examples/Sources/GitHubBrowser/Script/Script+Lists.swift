import GitHubClient
import Siesta
import TerminalKit

extension Script {
    /// A list that keeps three of its pages, and grows in both directions.
    func playPages() async {
        await step(
            "Page 4: the first page leaves the list",
            observed: heard("observerAdded", Addresses.twoPages)
                + heard("observerAdded newData(network)", [Addresses.page(3), Addresses.page(4)]),
            served: answered("200 GET", [Addresses.page(3), Addresses.page(4)])
        ) {
            rig.withClock { rig.browser.model.open(.account("lanternworks")) }
            for _ in 2...4 {
                rig.press(.character("n"))
                await rig.idle()
            }
            checkScreen("… of 139")
        }
        await step(
            "Home: the first page is back, from memory, and the last one leaves the list",
            observed: heard("observerAdded", [Addresses.account("lanternworks")[1]])
        ) {
            rig.press(.home)
            await rig.idle()
            rig.press(.home)
            checkScreen("1 of 139", "lucid-anchor")
        }
        await step(
            "Down: the fourth page is back, too",
            observed: heard("observerAdded", [Addresses.page(4)] + Addresses.detail)
        ) {
            rig.press(.end)
            await rig.idle()
            checkScreen("… of 139 · n: more")
            rig.press(.left)
        }
    }

    /// A star that is given or taken makes stale what shows the repository, and nothing else.
    func playTags() async {
        let (account, following) = (Addresses.account("lanternworks"), Addresses.following("lanternworks"))
        await step(
            "A list in two pages",
            observed: heard("observerAdded requested newData(network)", account + [following])
                + heard("observerAdded newData(network)", [Addresses.page(2)]),
            served: answered("200 GET", account + [Addresses.page(2)], "with token")
                + answered("404 GET", [following], "with token")
        ) {
            rig.withClock { rig.browser.model.open(.account("lanternworks")) }
            await rig.idle()
            rig.press(.character("n"))
            await rig.idle()
            checkScreen("lucid-anchor               ★     81", "1 of 139")
        }
        await step(
            "Star a repository of its first page",
            observed: heard(
                "observerAdded newData(localOverride) newData(network) requested newData(network)",
                [Addresses.repository])
                + heard(
                    "observerAdded requested newData(network) newData(localOverride) newData(network)",
                    [Addresses.star])
                + heard("observerAdded", [Addresses.detail[1], Addresses.detail[2]]),
            served: answered("404 GET", [Addresses.star], "with token")
                + answered("204 PUT", [Addresses.star], "with token")
                + answered("200 GET", [Addresses.repository], "with token")
        ) {
            rig.press(.enter)
            await rig.idle()
            rig.press(.character("s"))
            await rig.idle()
            checkScreen("★ 82 ")
        }
        await step(
            "Back: only the page that shows the repository is loaded again",
            observed: heard("observerAdded requested newData(network)", [account[1]])
                + heard("observerAdded", [account[0], following, Addresses.page(2)]),
            served: answered("200 GET", [account[1]], "conditional", "with token")
        ) {
            rig.press(.left)
            checkScreen("lucid-anchor               ★     81")
            await rig.idle()
            checkScreen("lucid-anchor               ★     82", "1 of 139")
        }
        await step(
            "The starred repositories are loaded again, too",
            observed: heard("observerAdded requested newData(network)", [Addresses.stars]),
            served: answered("200 GET", [Addresses.stars], "conditional", "with token")
        ) {
            rig.press(.character("*"))
            await rig.idle()
            checkScreen("lucid-anchor")
        }
        await step(
            "Unstarred while the list is on view: it is loaded at once",
            observed: heard("requested newData(network)", [Addresses.stars]),
            served: answered("204 DELETE", [Addresses.star], "with token")
                + answered("200 GET", [Addresses.stars], "conditional", "with token")
        ) {
            rig.withClock { rig.browser.model.api.setStarred(false, Self.subject) }
            await rig.until("a list without the repository") { !rig.screen.contains("lucid-anchor") }
            await rig.idle()
        }
        await step(
            "Back: the page and the repository are loaded again",
            observed: heard("observerAdded requested newData(network)", [account[1], Addresses.repository])
                + heard("observerAdded", account.prefix(1) + [following, Addresses.page(2), Addresses.star])
                + heard("observerAdded", [Addresses.detail[1], Addresses.detail[2]]),
            served: answered("200 GET", [account[1]], "conditional", "with token")
                + answered("200 GET", [Addresses.repository], "with token")
        ) {
            rig.press(.left)
            await rig.idle()
            checkScreen("lucid-anchor               ★     81", "1 of 139")
            rig.press(.left)
            await rig.idle()
            checkScreen("☆ 81 ")
        }
    }
}
