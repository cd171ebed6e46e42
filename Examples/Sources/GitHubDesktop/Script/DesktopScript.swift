#if GTK
import CGTK
import EmbeddedGitHub
import Foundation
import GitHubClient
import Siesta
import SiestaGTK
import SiestaUI
import TerminalKit

/// Plays a scenario with real clicks and keys, and checks what is on the screen.
@MainActor
final class DesktopScript {
    /// A condition that did not hold in time, or something that is not on the screen.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// How long anything may take, in seconds.
    private static let patience = 15.0

    let server: EmbeddedGitHub
    let window: DesktopWindow
    let person = Person()
    private let screenshots: URL?
    private var (number, failures) = (0, 0)
    private var checks = 0

    /// Plays everything; false if anything was not as expected.
    ///
    /// - Parameter screenshots: The folder for pictures of the window; nil for none.
    static func play(screenshots: URL?) async -> Bool {
        LogRecorder.install()
        do {
            if let screenshots {
                try FileManager.default.createDirectory(at: screenshots, withIntermediateDirectories: true)
            }
            return try await DesktopScript(screenshots).play()
        } catch {
            print("FAILED: \(error)")
            return false
        }
    }

    private init(_ screenshots: URL?) throws {
        self.screenshots = screenshots
        server = try EmbeddedGitHub(behaviour: EmbeddedGitHub.Behaviour(latency: 1.5))
        window = DesktopWindow(BrowserModel(backend: .embedded(server), token: nil))
    }

    private func play() async -> Bool {
        await playLoading()
        await playFailures()
        await playImages()
        await playSearch()
        await playSession()
        await playLive()
        await playAppearance()
        print(
            failures == 0
                ? "\n\(number) steps, \(checks) checks, all as expected" : "\nFAILED: \(failures) of \(number) steps")
        return failures == 0
    }

    /// Does one step. It fails if an error is thrown, or if GTK logs a warning.
    func step(_ title: String, _ action: () async throws -> Void) async {
        number += 1
        print("\(number < 10 ? " " : "")\(number). \(title)")
        var problems: [String] = []
        do {
            try await action()
        } catch {
            problems.append("\(error)\n      on the screen: \(window.isClosed ? [] : window.widget.visibleTexts)")
            if !window.isClosed { try? await photograph("failed-\(number)") }
        }
        problems += LogRecorder.take().map { "logged: \($0)" }
        for problem in problems { print("      FAILED: \(problem)") }
        if problems.isEmpty { print("      ok") } else { failures += 1 }
        fflush(nil)
    }

    // MARK: Checking

    /// Waits until a condition holds, while the main loop goes on.
    func until(_ description: String, _ condition: () -> Bool) async throws {
        let end = Date().addingTimeInterval(Self.patience)
        while !condition() {
            guard Date() < end else { throw Failure(description: "expected \(description)") }
            try await Task.sleep(for: .milliseconds(10))
        }
        passed(description)
    }

    /// Waits for a widget on the screen.
    func found(_ description: String, _ find: () -> WidgetPointer?) async throws -> WidgetPointer {
        try await until(description) { find() != nil }
        guard let widget = find() else { throw Failure(description: "expected \(description)") }
        return widget
    }

    /// Checks a condition now.
    func check(_ description: String, _ condition: Bool) throws {
        guard condition else { throw Failure(description: "expected \(description)") }
        passed(description)
    }

    /// Waits until all texts are on the screen, each a whole label or a part of one.
    func untilShown(_ texts: String...) async throws {
        for text in texts {
            try await until("the text “\(text)”") { self.window.widget.visibleTexts.contains { $0.contains(text) } }
        }
    }

    private func passed(_ description: String) {
        checks += 1
        print("      checked   \(description)")
    }

    /// Waits until all loads of the page have ended.
    func untilIdle() async throws {
        try await until("a page at rest") { !self.window.browser.isLoading && !self.window.browser.screen.isBusy }
    }

    /// Checks that the overlay shows the words that the terminal browser shows for the same state.
    func checkWords(_ expected: String) async throws {
        let monitor = window.browser.screen.monitor
        try await until("“\(expected)” in the window and in a terminal") {
            guard let message = monitor.message else { return false }
            let terminal = StatusLine(message).line(columns: 300).text.dropFirst(3)
            return terminal.contains(expected) && self.window.overlayText == terminal
        }
    }

    // MARK: Acting

    /// Clicks on the button with a name for screen readers, or with a title.
    func click(_ name: String, in widget: WidgetPointer? = nil) async throws {
        let root = widget ?? window.widget
        try await person.click(found("“\(name)” to click") { root.named(name) ?? root.label(name) })
    }

    /// Chooses an item of the menu.
    func choose(_ item: String) async throws {
        try await click("Menu")
        try await click(item)
        try await until("a closed menu") { self.window.widget.label(item) == nil }
    }

    /// Writes a picture of the window.
    func photograph(_ name: String) async throws {
        guard let screenshots else { return }
        let widget = window.widget
        try await person.photograph(
            screenshots.appendingPathComponent("\(name).png"), width: Int(gtk_widget_get_width(widget)) + 8,
            height: Int(gtk_widget_get_height(widget)) + 8)
    }
}

extension DesktopWindow {
    /// The texts of the banner or the cover over the page, without buttons, in one line as a terminal has it.
    fileprivate var overlayText: String {
        guard let overlay = gtk_widget_get_first_child(page.widget), let content = gtk_widget_get_first_child(overlay)
        else { return "" }
        let layers = overlay.visibleDescendants.filter { $0 != content && gtk_widget_is_ancestor($0, content) == 0 }
        let texts = layers.compactMap { layer -> String? in
            guard gtk_widget_get_ancestor(layer, gtk_button_get_type()) == nil else { return nil }
            return layer.labelText
        }
        return texts.filter { !$0.isEmpty }.joined(separator: " · ").replacing(". · ", with: " · ")
            .replacing(/\.$/, with: "")
    }
}
#endif
