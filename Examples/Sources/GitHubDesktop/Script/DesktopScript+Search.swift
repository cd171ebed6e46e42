#if GTK
import CGTK
import EmbeddedGitHub
import GitHubClient
import Siesta
import SiestaGTK

/// Searching while typing.
extension DesktopScript {
    func playSearch() async {
        await step("Search while typing: few requests for nine letters, and the old results stay meanwhile") {
            let before = searches
            try await search("tidewater")
            try await untilShown("tidewater-archive")
            try check("at most three requests", searches - before <= 3)
            try await untilIdle()
        }
        await step("A text that nothing matches, and no text") {
            try await search("nobody-at-all")
            try await untilShown("Nobody is called “nobody-at-all”.")
            try await person.press("ctrl+a", "BackSpace")
            try await untilShown("Type the name of a user or an organisation.")
        }
        await step("From the entry to the results, to an account, and back, by keys alone") {
            try await person.type("tide")
            try await untilShown("tidewater-archive")
            try await untilIdle()
            try await person.press("Down", "Down", "Return")
            try await untilShown("Tidewater Archive", "organisation · Halifax")
            try await untilIdle()
            try await person.press("Escape")
            try await untilShown("tidewater-archive")
            try check("the text of the search is back", window.entryText == "tide")
        }
    }

    private var searches: Int { server.served.count { $0.target.hasPrefix("/search/users") } }
}

extension DesktopWindow {
    /// The text in the entry.
    fileprivate var entryText: String { String(cString: gtk_editable_get_text(entry.object)) }
}
#endif
