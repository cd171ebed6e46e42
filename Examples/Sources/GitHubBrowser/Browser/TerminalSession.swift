import Dispatch
import Foundation
import GitHubClient
import Siesta
import TerminalKit

/// Connects a browser and a terminal, until the user quits; that ends the process.
@MainActor
final class TerminalSession {
    private let browser: Browser
    private let terminal: Terminal
    private var timer: (any DispatchSourceTimer)?
    private var tick = 0
    private var isFrameDue = false
    /// The app is in the foreground unless its process is stopped.
    private let activity = AppActivity()

    /// Shows the browser; nothing is drawn more than once in a turn of the main queue.
    init(_ browser: Browser, on terminal: Terminal) {
        self.browser = browser
        self.terminal = terminal
        browser.model.api.appActivity = activity
        browser.log.takeOver(base: browser.model.backend.baseURL.absoluteString)
        browser.onChange = { [weak self] in self?.drawSoon() }
        browser.onQuit = { [weak self] in self?.quit() }
        terminal.onKey = { [weak self] in self?.press($0) }
        terminal.onResize = { [weak self] _ in self?.drawSoon() }
        browser.start()
        beat()
    }

    private func press(_ key: Key) {
        switch key {
        case .ctrl("z"): suspend()
        case .ctrl("l"): terminal.redraw()
        default: browser.press(key)
        }
    }

    private func suspend() {
        activity.isActive = false
        terminal.suspend()
        activity.isActive = true
    }

    private func drawSoon() {
        guard !isFrameDue else { return }
        isFrameDue = true
        DispatchQueue.main.async { MainActor.assumeIsolated { self.draw() } }
    }

    private func draw() {
        isFrameDue = false
        terminal.show(browser.frame(size: terminal.size, tick: tick))
    }

    /// Ten times a second while the spinner turns, else once: ages grow.
    private func beat() {
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now() + 0.1, repeating: 0.1, leeway: .milliseconds(20))
        timer.setEventHandler { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                self.tick += 1
                if self.browser.model.isLoading || self.tick % 10 == 0 { self.draw() }
            }
        }
        timer.activate()
        self.timer = timer
    }

    private func quit() {
        timer?.cancel()
        terminal.close()
        Task {
            await browser.model.quit()
            exit(0)
        }
    }
}
