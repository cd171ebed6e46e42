import EmbeddedGitHub
import GitHubClient
import Siesta
import TerminalKit

extension Script {
    /// A server that fails, one that is gone, and one that talks nonsense.
    func playTrouble() async {
        await playFailures()
        await playAbsence()
        await playNonsense()
    }

    private func playFailures() async {
        await step(
            "The server fails: retries are counted down, until the server has recovered",
            observed: heard("observerAdded requested notModified", Addresses.twoPages),
            served: answered("500 GET", 2 * Addresses.twoPages, "conditional")
                + answered("304 GET", Addresses.twoPages, "conditional")
        ) {
            rig.press(.left, .character("3"), .character("r"))
            await rig.pause()
            checkScreen("Trying again · Server Error · in 1 s (1 of 3)", "lucid-anchor", "waiting · data from")
            rig.advance(by: 1)
            await rig.pause()
            checkScreen("Trying again · Server Error · in 2 s (2 of 3)")
            rig.advance(by: 1)
            checkScreen("Trying again · Server Error · in 1 s (2 of 3)")
            rig.press(.character("1"))
            rig.advance(by: 1)
            await rig.idle()
            check("the error is gone", !rig.screen.contains("Server Error"))
            checkScreen("304 ×3")
        }
        leaveMinute()
        await step(
            "The server fails: an error above data that stays readable",
            observed: heard("requested error", Addresses.twoPages),
            served: answered("500 GET", 4 * Addresses.twoPages, "conditional")
        ) {
            rig.press(.character("3"), .character("r"))
            await rig.exhaust()
            checkScreen("Could not load · Server Error · r: retry", "lucid-anchor", "data from")
        }
        await step(
            "Retry: recovered",
            observed: heard("requested notModified", Addresses.twoPages),
            served: answered("304 GET", Addresses.twoPages, "conditional")
        ) {
            rig.press(.character("1"), .character("r"))
            await rig.idle()
            check("the error is gone", !rig.screen.contains("✗"))
            checkScreen("304 ×3")
        }
    }

    private func playAbsence() async {
        leaveMinute()
        await step(
            "The server is gone: one readable error",
            observed: heard("requested error", Addresses.twoPages)
        ) {
            rig.press(.character("4"), .character("r"))
            await rig.exhaust()
            check("there is one error", rig.screen.split(separator: "✗").count == 2)
            checkScreen("Could not connect to the server", "r: retry", "lucid-anchor")
        }
        await step(
            "The server is back: recovered",
            observed: heard("requested notModified", Addresses.twoPages),
            served: answered("304 GET", Addresses.twoPages, "conditional")
        ) {
            rig.press(.character("1"), .character("r"))
            await rig.idle()
            checkScreen("304 ×3")
        }
        leaveMinute()
        let (account, list) = (
            rig.browser.model.api.account("brass-otter"), rig.browser.model.api.repositories(of: "brass-otter")
        )
        let addresses = Addresses.account("brass-otter")
        await step(
            "The server goes in the middle of an answer",
            observed: heard("observerAdded requested newData(network)", [addresses[0]])
                + heard("observerAdded requested error", [addresses[1]]),
            served: answered("200 GET", addresses)
        ) {
            rig.server.behaviour.bytesPerSecond = 50_000
            rig.withClock { rig.browser.model.open(.account("brass-otter")) }
            await rig.whileTimePasses {
                await rig.until("an answer that has begun") {
                    !account.isLoading && (rig.isReplay ? list.retry != nil : rig.isReceiving(list.resource))
                }
            }
            rig.press(.character("4"))
            await rig.pause()
            checkScreen("Brass Otter Games", "Trying again · The connection to the server was lost", "in 1 s (1 of 3)")
            await rig.exhaust()
            checkScreen("Brass Otter Games", "Could not connect to the server · r: retry")
        }
        await step(
            "Whole again: what had failed is loaded, what had come is confirmed",
            observed: heard("requested notModified", [addresses[0]])
                + heard("requested newData(network)", [addresses[1]]),
            served: answered("304 GET", [addresses[0]], "conditional") + answered("200 GET", [addresses[1]])
        ) {
            rig.press(.character("1"), .character("r"))
            await rig.idle()
            checkScreen("Brass Otter Games", "1 of 35")
        }
        rig.roundTime()
    }

    private func playNonsense() async {
        let account = Addresses.account("mira-sato")
        await step(
            "The server does not speak HTTP: an error in words",
            observed: heard("observerAdded requested error", account), served: answered("--- GET", account)
        ) {
            rig.server.behaviour.fault = .garbage
            rig.withClock { rig.browser.model.open(.account("mira-sato")) }
            await rig.idle()
            checkScreen("✗ Could not load · The response of the server could not be understo", "r: retry")
        }
        await step(
            "Content that is cut short: retries, and an error in words",
            observed: heard("requested error", account), served: answered("200 GET", 4 * account)
        ) {
            rig.server.behaviour.fault = .cutBody
            rig.press(.character("r"))
            await rig.exhaust()
            checkScreen("✗ Could not load · The connection to the server was lost", "r: retry")
        }
        await step(
            "Content that is no JSON: an error in words",
            observed: heard("requested error", account), served: answered("200 GET", account)
        ) {
            rig.server.behaviour.fault = .brokenJSON
            rig.press(.character("r"))
            await rig.idle()
            checkScreen("✗ Could not load · Cannot parse server response", "r: retry")
        }
        rig.server.behaviour.fault = nil
    }
}
