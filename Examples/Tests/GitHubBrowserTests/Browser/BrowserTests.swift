import EmbeddedGitHub
import GitHubClient
import TerminalKit
import TestKit
import Testing

@testable import GitHubBrowser

/// The rest of what the browser does is played by its script.
@Suite("The browser", .timeLimit(.test))
@MainActor
struct BrowserTests {
    private let server: EmbeddedGitHub
    private let browser: Browser

    init() throws {
        server = try EmbeddedGitHub()
        browser = Browser(BrowserModel(backend: .embedded(server), token: nil))
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

    @Test("watches the repository on view, and cuts the stream")
    func watch() {
        browser.press(.character("w"))
        #expect(browser.model.screen is AccountModel)
        browser.model.open(.repository(Repository.ID(owner: "lanternworks", name: "wick")))
        #expect(text().contains("w watch"))
        browser.press(.character("w"))
        #expect(browser.model.screen.crumbs == ["lanternworks", "wick", "Live"])
        #expect(text().contains("k cut"))
        browser.press(.character("k"))
        #expect(server.behaviour.cutsStreams)
        #expect(text().contains("The stream is cut"))
    }

    @Test("says how to sign in to the real server if there is no token")
    func token() {
        let browser = Browser(BrowserModel(backend: .gitHub, token: nil))  // It is not started, so it sends nothing.
        browser.press(.character("t"))
        #expect(browser.frame(size: .standard).lines.contains { $0.text.contains("Start with --token") })
    }

    @Test("shows who can sign in, until the user leaves")
    func signIn() {
        browser.press(.character("t"))
        #expect(text().contains("1    mira-sato"))
        #expect(text().contains(" ‹ GitHub › Sign in"))
        browser.press(.character("3"))
        #expect(text().contains("1    mira-sato"))
        browser.press(.escape)
        #expect(!text().contains("1    mira-sato"))
        browser.press(.character("u"))
        #expect(text().contains("1    mira-sato"))
    }

    @Test("says why a sign-in has failed, and asks again")
    func failedSignIn() async {
        server.stop()
        browser.press(.character("t"))
        browser.press(.character("1"))
        #expect(text().contains("signing in …"))
        while browser.model.isChangingUser {
            await withCheckedContinuation { continuation in
                browser.onChange = {
                    browser.onChange = {}
                    continuation.resume()
                }
            }
        }
        #expect(text().contains("Not signed in: Could not connect to the server"))
        #expect(text().contains("1    mira-sato"))
        #expect(text().contains("normal · anonymous"))
    }

    @Test("revokes no tokens if nobody is signed in")
    func revoke() {
        browser.press(.character("x"))
        #expect(text().contains("Nobody is signed in"))
    }

    @Test(
        "draws exactly the screen it has", arguments: [(24, 80), (12, 40), (5, 15), (1, 1), (100, 300)])
    func sizes(rows: Int, columns: Int) {
        let size = TerminalSize(rows: rows, columns: columns)
        for key in [Key.character("l"), .character("?"), .escape, .character("t"), .escape, .character("/"), .escape] {
            browser.press(key)
            let frame = browser.frame(size: size)
            #expect(frame.lines.count == rows)
            #expect(frame.lines.allSatisfy { $0.columns <= columns })
        }
    }
}
