import Foundation
import GitHubClient
import TerminalKit

/// Lets another program use the browser: takes commands from the standard input, one per line, and writes screens to the
/// standard output.
///
/// `key NAME` presses a key, `type TEXT` types a text, and `screen` writes the screen and a line with a form feed. At the end
/// of the input, the browser quits.
@MainActor
final class KeySession {
    private static let size = TerminalSize(rows: 24, columns: 100)
    private static let keys: [String: Key] = [
        "enter": .enter, "escape": .escape, "left": .left, "right": .right, "up": .up, "down": .down, "home": .home,
        "clear": .ctrl("u"),
    ]
    /// The line after a screen.
    static let end = "\u{0C}"

    private let browser: Browser

    /// Starts the browser.
    init(_ browser: Browser) {
        self.browser = browser
        browser.onQuit = { [weak self] in self?.quit() }
        browser.start()
        Thread.detachNewThread { [weak self] in
            while let line = readLine() {
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.obey(line) } }
            }
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.quit() } }
        }
    }

    private func obey(_ line: String) {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch (parts.first, parts.last) {
        case ("key", let name?): (Self.keys[name] ?? name.first.map(Key.character)).map(browser.press)
        case ("type", let text?): for character in text { browser.press(.character(character)) }
        case ("screen", _):
            let lines = browser.frame(size: Self.size).lines.map(\.text) + [Self.end, ""]
            // `fflush(nil)` would wait for the thread that reads, because it locks the standard input, too.
            try? FileHandle.standardOutput.write(contentsOf: Data(lines.joined(separator: "\n").utf8))
        default: Launch.fail("unknown command \(line)")
        }
    }

    private func quit() {
        Task {
            await browser.model.quit()
            exit(0)
        }
    }
}
