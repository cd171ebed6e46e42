import GitHubClient
import Siesta
import TerminalKit

extension Script {
    /// Lists, pages, details, and the way back.
    func playBrowsing() async {
        await step(
            "Start: the repositories of an organisation",
            observed: heard("observerAdded requested newData(network)", Addresses.account("lanternworks")),
            served: answered("200 GET", Addresses.account("lanternworks"))
        ) {
            rig.start()
            check("something shows at once", rig.screen.contains("loading"))
            await rig.idle()
            checkScreen("Lanternworks · organisation", "network ×2", "1 of 139")
        }
        await step(
            "Page 2: the link that the server sent is followed",
            observed: heard("observerAdded newData(network)", [Addresses.page(2)]),
            served: answered("200 GET", [Addresses.page(2)])
        ) {
            rig.press(.character("n"))
            await rig.idle()
            rig.press(.pageDown, .pageDown)
            checkScreen("35 of 139", "network ×3")
        }
        await step(
            "Search as you type: one request for eight letters",
            observed: heard("observerAdded requested newData(network)", Addresses.search("tidewate")),
            served: answered("200 GET", Addresses.search("tidewate"))
        ) {
            rig.press(.character("/"))
            rig.type("tidewate")
            rig.advance(by: 0.25)
            await rig.idle()
            rig.press(.enter)
            checkScreen("tidewater-archive", "1 of 1")
        }
        await step(
            "Open what was found",
            observed: heard("observerAdded requested newData(network)", Addresses.account("tidewater-archive")),
            served: answered("200 GET", Addresses.account("tidewater-archive"))
        ) {
            rig.press(.enter)
            await rig.idle()
            checkScreen("Tidewater Archive · organisation")
        }
        await step(
            "Back and back: cached data at once, and no request since it is fresh",
            observed: heard("observerAdded", Addresses.search("tidewate")) + heard("observerAdded", Addresses.twoPages)
        ) {
            rig.press(.escape, .escape)
            checkScreen("Lanternworks · organisation", "memory ×3", "35 of 139")
            await rig.idle()
        }
        await step(
            "Open a repository: its detail, languages and contributors",
            observed: heard("observerAdded requested newData(network)", Addresses.detail),
            served: answered("200 GET", Addresses.detail)
        ) {
            rig.press(.home, .enter)
            await rig.idle()
            checkScreen("lanternworks/lucid-anchor", "Languages", "Lua ", "Contributors", "network ×3")
        }
        await step(
            "An hour later, back: cached data at once, and the server confirms it",
            observed: heard("observerAdded requested notModified", Addresses.twoPages),
            served: answered("304 GET", Addresses.twoPages, "conditional")
        ) {
            rig.advance(by: 3_600)
            rig.press(.left)
            checkScreen("Lanternworks · organisation", "lucid-anchor", "data from 1 h ago")
            await rig.idle()
            checkScreen("updated just now · 304 ×3")
        }
        await step(
            "Forward: the detail is stale, too",
            observed: heard("observerAdded requested notModified", Addresses.detail),
            served: answered("304 GET", Addresses.detail, "conditional")
        ) {
            rig.press(.right)
            checkScreen("lanternworks/lucid-anchor", "data from 1 h ago")
            await rig.idle()
            checkScreen("updated just now · 304 ×3")
        }
        await step(
            "Invalidated: the next look asks the server, though the data is young",
            observed: heard("observerAdded requested notModified", [Addresses.repository])
                + heard("observerAdded", [Addresses.detail[1], Addresses.detail[2]])
                + heard("observerAdded", Addresses.twoPages),
            served: answered("304 GET", [Addresses.repository], "conditional")
        ) {
            let repository = rig.browser.model.api.repository(Self.subject).resource
            rig.press(.left)
            repository.invalidate()
            rig.press(.right)
            await rig.idle()
            checkScreen("304, memory ×2")
        }
        await playPages()
    }

    /// The repository that most of the script is about.
    static var subject: Repository.ID { Repository.ID(owner: "lanternworks", name: "lucid-anchor") }
}
