import EmbeddedGitHub
import TerminalKit
import Testing

@testable import GitHubBrowser

/// The rest of what the browser does is played by its script.
@Suite("The browser", .timeLimit(.minutes(30)))
@MainActor
struct BrowserTests {
    private let browser: Browser

    init() throws {
        browser = Browser(backend: .embedded(try EmbeddedGitHub()), token: nil)
        browser.start()
    }

    private func text(_ size: TerminalSize = .standard) -> String {
        browser.frame(size: size).lines.map(\.text).joined(separator: "\n")
    }

    @Test("quits when told to, in a field only by Ctrl-C")
    func quits() {
        var count = 0
        browser.onQuit = { count += 1 }
        browser.press(.character("q"))
        #expect(count == 1)
        browser.press(.character("/"))
        browser.press(.character("q"))
        #expect(count == 1)
        browser.press(.ctrl("c"))
        #expect(count == 2)
    }

    @Test("shows its help until the next key")
    func help() {
        browser.press(.character("?"))
        #expect(text().contains("star and unstar"))
        browser.press(.character("q"))
        #expect(!text().contains("star and unstar"))
    }

    @Test("marks that the network is off")
    func offline() {
        browser.press(.character("o"))
        #expect(text().contains(" offline · server: normal"))
        browser.press(.character("o"))
        #expect(!text().contains(" offline · "))
    }

    @Test("says how to log in if there is no token")
    func token() {
        browser.press(.character("t"))
        #expect(text().contains("Start with --token"))
    }

    @Test(
        "draws exactly the screen it has", arguments: [(24, 80), (12, 40), (5, 15), (1, 1), (100, 300)])
    func sizes(rows: Int, columns: Int) {
        let size = TerminalSize(rows: rows, columns: columns)
        for key in [Key.character("l"), .character("?"), .escape, .character("/"), .escape] {
            browser.press(key)
            let frame = browser.frame(size: size)
            #expect(frame.lines.count == rows)
            #expect(frame.lines.allSatisfy { $0.columns <= columns })
        }
    }
}
