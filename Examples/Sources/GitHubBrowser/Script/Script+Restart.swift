import EmbeddedGitHub
import Foundation
import GitHubClient
import Siesta
import TerminalKit

extension Script {
    /// What the browser still knows when it is started again, with and without a server.
    func playRestart() async {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("browser-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        guard await hasServer(for: .restart, cache: folder) else { return }
        let (account, following) = (Addresses.account("lanternworks"), Addresses.following("lanternworks"))
        await step(
            "With --cache, the first start loads as ever",
            observed: heard("observerAdded requested newData(network)", account), served: answered("200 GET", account)
        ) {
            rig.start()
            await rig.idle()
            checkScreen("network ×2", "1 of 139")
        }
        await step(
            "Quit, and started again without a server: the lists are there at once, as of then",
            observed: heard("observerAdded newData(cache) requested error", account)
        ) {
            rig.server.stop()
            rig.advance(by: 2 * 3_600)
            await rig.startAgain()
            await rig.exhaust()
            checkScreen("Lanternworks · organisation", "1 of 139", "data from 2 h", "Could not connect to the server")
        }
        await step(
            "The server is back: what was kept is confirmed, not sent again",
            observed: heard("requested notModified", account),
            served: answered("304 GET", account, "conditional")
        ) {
            do { try rig.server.restart() } catch { check("the server starts again", false) }
            rig.press(.character("r"))
            await rig.idle()
            checkScreen("304 ×2", "1 of 139")
        }
        await step(
            "Started again soon: nobody is asked",
            observed: heard("observerAdded newData(cache) notModified", account)
        ) {
            await rig.startAgain()
            await rig.idle()
            checkScreen("kept ×2", "1 of 139")
        }
        await step(
            "Started again later, with a server that takes its time: the lists are there before its first byte",
            observed: heard("observerAdded newData(cache) requested notModified", account),
            served: answered("304 GET", account, "conditional")
        ) {
            rig.advance(by: 2 * 3_600)
            rig.server.behaviour.latency = 0.5
            await rig.startAgain()
            await rig.until("the list") { rig.screen.contains("1 of 139") }
            checkServer("the server has still to answer", rig.browser.model.isLoading)
            await rig.idle()
            rig.server.behaviour.latency = 0
            checkScreen("304 ×2")
        }
        await step(
            "Another user sees nothing of it",
            observed: heard("observerAdded requested newData(network)", account + [following]),
            served: signedIn + answered("200 GET", account, "with token")
                + answered("404 GET", [following], "with token")
        ) {
            rig.press(.character("t"), .character("1"))
            await rig.idle()
            checkScreen("network ×3")
        }
    }
}
