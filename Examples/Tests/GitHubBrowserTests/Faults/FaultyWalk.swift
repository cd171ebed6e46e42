import Foundation
import GitHubClient
import Siesta
import SiestaTesting
import TerminalKit

@testable import GitHubBrowser

/// A person who presses random keys in a browser whose network has faults. A seed determines the keys and the faults.
@MainActor
final class FaultyWalk {
    /// All that happened, in order: the faults, the events of the service with their times, and the screens after the keys.
    struct Record: Equatable {
        var faults: [String] = []
        var events: [String] = []
        var screens: [String] = []
    }

    private static let keys: [Key] = [
        .enter, .enter, .enter, .left, .left, .right, .down, .up, .character("r"), .character("s"), .character("s"),
    ]

    let hub = StubHub()
    let browser: Browser
    private(set) var record = Record()
    /// The number of requests with faults.
    private(set) var faultCount = 0
    /// What was wrong on the screens.
    private(set) var problems: [String] = []
    private let clock = TestClock()
    private let faults: FaultyNetwork
    private let events: any AsyncSequence<ActivityEvent, Never>
    private var dice: Dice

    init(seed: UInt64) throws {
        guard let url = URL(string: "https://api.test/") else { throw URLError(.badURL) }
        let (clock, faults) = (clock, FaultyNetwork(hub.network, seed: seed, rates: .severe))
        (self.faults, dice) = (faults, Dice(state: seed))
        browser = clock.whileCurrent {
            Browser(BrowserModel(backend: .recorded(url), token: nil, login: StubHub.logins[0], networking: faults))
        }
        events = browser.model.api.activity(limit: 1_000_000)
    }

    private var api: GitHubAPI { browser.model.api }

    /// Signs in without faults, presses keys with faults, and reloads without faults.
    func play(keyCount: Int) async throws {
        faults.isEnabled = false
        clock.whileCurrent { browser.start() }
        try await press(.character("t"))
        try await press(.character("1"))
        while browser.model.isChangingUser { try await api.settled() }
        try await clock.advanceUntilSettled(api)
        faults.isEnabled = true
        for _ in 0..<keyCount {
            try await press(Self.keys[dice.next(below: Self.keys.count)])
            try await clock.advance(by: Double(dice.next(below: 16)) / 4, settling: api)
            look()
        }
        try await rest("after the faults")
        faults.isEnabled = false
        clock.advance(by: 600)
        try await press(.character("r"))
        try await rest("after the reload")
        checkData()
        record.faults = faults.entries.map { "\($0.method) \($0.url) #\($0.occurrence) at \($0.time): \($0.decision)" }
        await takeEvents()
        faultCount = faults.entries.count { $0.decision != .none }
        await browser.model.quit()
    }

    /// Records the events until now.
    private func takeEvents() async {
        let last = api.resource("/last")
        last.invalidate()
        for await event in events {
            if event.address == last.url.absoluteString { return }
            record.events.append("\(event.uptime) \(event)")
        }
    }

    private func press(_ key: Key) async throws {
        clock.whileCurrent { browser.press(key) }
        // The browser hears that a change is kept a moment after the service has settled.
        repeat { try await api.settled() } while browser.model.isKeeping
    }

    private func rest(_ moment: String) async throws {
        try await clock.advanceUntilSettled(api)
        look()
        if browser.model.isLoading || screen.contains("loading") { problem("a load without end \(moment)") }
    }

    // MARK: Looking

    private var screen: String {
        clock.whileCurrent { browser.frame(size: .standard).lines.map(\.text).joined(separator: "\n") }
    }

    private func problem(_ text: String) { problems.append("\(text):\n\(screen)") }

    /// Records the screen, and checks that it shows only what belongs to its resources.
    private func look() {
        let screen = screen
        record.screens.append(screen)
        for login in StubHub.logins {
            for name in StubHub.repositories(of: login) where !mayShow(name, of: login) {
                let isShown = screen.contains(name) || screen.contains("  \(StubHub.contributions(to: name))")
                if isShown { problem("the data of \(name) is on another screen") }
            }
        }
    }

    private func mayShow(_ name: String, of login: String) -> Bool {
        switch browser.model.screen {
        case let model as RepositoryModel: model.id.name == name
        case let model as AccountModel: model.login == login
        default: false
        }
    }

    /// Checks that the screen has the data of the server.
    private func checkData() {
        switch browser.model.screen {
        case let model as RepositoryModel:
            let path = "/\(model.id.owner)/\(model.id.name)"
            let star = hub.stars.contains(path) ? "★ 8" : "☆ 7"
            let (name, count) = (model.id.name, StubHub.contributions(to: model.id.name))
            for text in ["About \(name)", "L-\(name)", "\(count)", star] where !screen.contains(text) {
                problem("“\(text)” is missing")
            }
        case let model as AccountModel:
            for name in StubHub.repositories(of: model.login) where !screen.contains(name) {
                problem("\(name) is missing")
            }
        default: break
        }
    }

    /// A generator of random numbers.
    private struct Dice {
        var state: UInt64

        mutating func next(below bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(truncatingIfNeeded: (state >> 33) % UInt64(bound))
        }
    }
}
