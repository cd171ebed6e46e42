#if GTK
import CGTK
import EmbeddedGitHub
import Foundation
import GitHubClient
import Siesta
import SiestaGTK
import SiestaUI

/// Images that fail, and a list without an end.
extension DesktopScript {
    func playImages() async {
        await step("Images that are missing or broken: the rows keep their places, and say so to screen readers") {
            server.behaviour.avatarFaults = ["guest-0002": .missing, "guest-0004": .garbage]
            try await search("guest")
            try await untilShown("guest-0001", "guest-0005")
            try await until("two failed images") { window.widget.allNamed("Image not available").count == 2 }
            try await photograph("images")
        }
        await step("A click on a failed image loads it again") {
            server.behaviour.avatarFaults = [:]
            for count in [1, 0] {
                try await click("Image not available")
                try await until("\(count) failed images") {
                    window.widget.allNamed("Image not available").count == count
                }
            }
            try check("still the list of guests", window.widget.visibleTexts.contains("guest-0001"))
            try await person.press("ctrl+f")
            try await until("no progress bar") { !window.browser.screen.monitor.progress.isActive }
            try await photograph("guests")
        }
        await step("An endless list: scrolled with the wheel, page after page, with an avatar in each row") {
            let search = window.browser.screen as? SearchModel
            let list = try await found("a list") { window.widget.named("Users and organisations") }
            let end = Date().addingTimeInterval(120)
            while search?.results?.items.count ?? 0 < 2_000, Date() < end {
                try await person.scroll(list, steps: 60)
            }
            try check("2 000 rows and more", search?.results?.items.count ?? 0 >= 2_000)
            let store = RemoteImage.sharedStore
            print("      \(store.statistics)")
            try check("memory within its limit", store.statistics.cost <= store.costLimit)
            // A decode counts from its begin, an image from its end.
            try await until("no avatar was decoded twice") {
                store.statistics.decodes <= store.statistics.imageCount + store.statistics.failures
            }
        }
        await step("The end of the list by a key, and the way back to its begin") {
            let search = window.browser.screen as? SearchModel
            window.focusPage()
            let count = search?.results?.items.count ?? 0
            try await person.press("End")
            try await until("more rows") { search?.results?.items.count ?? 0 > count }
            try await person.press("Home")
            try await untilShown("guest-0001")
        }
    }

    /// Types a text into the entry, in place of the text before.
    func search(_ text: String) async throws {
        try await person.press("ctrl+f", "ctrl+a")
        try await person.type(text)
    }
}
#endif
