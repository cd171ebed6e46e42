import Dispatch
import EmbeddedGitHub
import Foundation
import GitHubClient
import Siesta
import SiestaTesting
import TerminalKit

/// A browser without a terminal, and a server that it talks to; presses keys, waits for what comes of them, and takes
/// notes.
@MainActor
final class Rig {
    /// How long anything may take, in seconds; the whole script takes less.
    private static let patience = 30.0
    private static let size = TerminalSize.standard

    let server: ScriptServer
    private(set) var browser: Browser
    /// The clock of the browser and of the server. It stands still, and the delays of retries are as long as they can be.
    let clock: TestClock
    /// True if there is no server, and the responses come from a recording.
    let isReplay: Bool
    private let cache: URL?
    private let networking: any NetworkingProviderConvertible
    private var events: [String: [String]] = [:]
    private var progress: [Resource: [Double]] = [:]
    private var servedCount = 0
    private let startTime: Double
    private var waiting: CheckedContinuation<Void, Never>?
    private var watchdog: (any DispatchSourceTimer)?

    /// Creates a browser that keeps what it loads in the folder `cache`, if there is one. In a replay, the clock begins
    /// with the time of the recording.
    init(cache: URL? = nil, traffic: Traffic = .network) throws {
        self.cache = cache
        let start = traffic.replay?.start ?? Date().timeIntervalSinceReferenceDate.rounded(.down)
        let clock = TestClock(wallTime: start)
        clock.jitter = 1
        startTime = clock.wallTime
        (self.clock, networking, isReplay) = (clock, traffic.networking, traffic.replay != nil)
        server = try Self.makeServer(traffic, clock)
        browser = Self.makeBrowser(server, networking, clock, cache)
        prepare()
        server.embedded?.onServed { [weak self] _ in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.wake() } }
        }
    }

    private static func makeServer(_ traffic: Traffic, _ clock: TestClock) throws -> ScriptServer {
        if let replay = traffic.replay { return ScriptServer(recordedAt: replay.baseURL) }
        return ScriptServer(try EmbeddedGitHub(now: { Date(timeIntervalSinceReferenceDate: clock.wallTime) }))
    }

    private static func makeBrowser(
        _ server: ScriptServer, _ networking: any NetworkingProviderConvertible, _ clock: TestClock, _ cache: URL?
    ) -> Browser {
        let backend = server.embedded.map(Backend.embedded) ?? .recorded(server.baseURL)
        return clock.whileCurrent {
            Browser(BrowserModel(backend: backend, token: nil, cache: cache, networking: networking))
        }
    }

    private func prepare() {
        browser.model.onEvent = { [weak self] in self?.note($1, of: $0) }
        browser.model.onProgress = { [weak self] in
            self?.progress[$0, default: []].append($1)
            self?.wake()
        }
        browser.onChange = { [weak self] in self?.wake() }
        browser.log.takeOver(base: server.baseURL.absoluteString)
    }

    // MARK: Acting

    /// Quits, and starts the app again, which remembers nothing but what it has kept.
    func startAgain() async {
        await browser.model.quit()
        browser = Self.makeBrowser(server, networking, clock, cache)
        prepare()
        start()
    }

    /// Shows the first screen.
    func start() {
        withClock { browser.start() }
    }

    /// Presses keys one after the other, without waiting.
    func press(_ keys: Key...) {
        withClock { keys.forEach(browser.press) }
    }

    /// Types a text, without waiting.
    func type(_ text: String) {
        withClock { text.forEach { browser.press(.character($0)) } }
    }

    /// Lets seconds pass at once.
    func advance(by seconds: Double) {
        clock.advance(by: seconds)
    }

    /// Lets time pass until the next full 100 seconds since the start. After ``whileTimePasses(_:)``, a replay has the
    /// same time as the recording again.
    func roundTime() {
        let passed = clock.wallTime - startTime
        clock.advance(by: (passed / 100).rounded(.up) * 100 - passed)
    }

    /// Does something with another app. A replay does nothing, because it has no server.
    func elsewhere(_ body: () async -> Void) async {
        if !isReplay { await body() }
    }

    /// Runs something with the script's clock.
    func withClock(_ body: () -> Void) {
        clock.whileCurrent(body)
    }

    // MARK: Waiting

    /// Waits until the screen has all it asked for, and nothing is about to be asked.
    func idle() async {
        await until("a screen at rest") {
            let model = self.browser.model
            return !model.isLoading && !model.screen.isBusy && !model.isSaving
        }
    }

    /// Waits until all requests of the screen have ended or wait for their next attempt.
    func pause() async {
        await until("requests that wait") {
            self.browser.model.screen.monitor.resources.allSatisfy {
                !($0.isLoading || $0.isRequesting) || $0.retry != nil
            }
        }
    }

    /// Lets time pass until all requests of the screen have ended, after their last attempts.
    func exhaust() async {
        await exhaustAttempts()
        await idle()
    }

    /// Does the same. Changes may still wait for the server.
    func exhaustAttempts() async {
        await pause()
        while let date = browser.model.screen.monitor.resources.compactMap({ $0.retry?.date }).min() {
            clock.advance(by: max(0, date.timeIntervalSinceReferenceDate - clock.wallTime))
            await pause()
        }
    }

    /// Lets time pass as fast as it really does while `body` runs.
    func whileTimePasses(_ body: () async -> Void) async {
        let timer = DispatchSource.makeTimerSource(queue: .main)
        let interval = 1.0 / 128  // Exact in binary, so that all times stay exact.
        timer.schedule(deadline: .now(), repeating: interval)
        timer.setEventHandler { [clock] in MainActor.assumeIsolated { clock.advance(by: interval) } }
        timer.activate()
        await body()
        timer.cancel()
    }

    /// Waits until a condition holds. Looks at it whenever anything has happened; if that takes too long, the process
    /// ends.
    func until(_ description: String, _ condition: () -> Bool) async {
        watch(description)
        while !condition() {
            await withCheckedContinuation { waiting = $0 }
        }
        watchdog?.cancel()
    }

    private func wake() {
        let continuation = waiting
        waiting = nil
        continuation?.resume()
    }

    private func watch(_ description: String) {
        watchdog?.cancel()
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now() + Self.patience)
        timer.setEventHandler {
            print("   FAILED: expected \(description), got nothing for \(Int(Self.patience)) seconds")
            exit(1)
        }
        timer.activate()
        watchdog = timer
    }

    // MARK: Looking

    /// The text on the screen.
    var screen: String {
        var text = ""
        withClock { text = browser.frame(size: Self.size).lines.map(\.text).joined(separator: "\n") }
        return text
    }

    /// Whether the progress of a resource has grown step by step since notes were taken last, and was between its ends.
    func hasSeenProgress(of resource: Resource) -> Bool {
        let between = progress[resource, default: []].filter { $0 > 0 && $0 < 1 }
        return between.count > 2 && between == between.sorted()
    }

    /// Whether the content of an answer has begun to arrive, and has not ended.
    ///
    /// Connecting and waiting for an answer fill a quarter of the progress at most.
    func isReceiving(_ resource: Resource) -> Bool {
        resource.isLoading && progress[resource, default: []].contains { $0 > 0.3 && $0 < 1 }
    }

    /// The requests that the server has decided on since notes were taken last.
    var requests: [String] { server.served.dropFirst(servedCount).map(\.line) }

    /// The users whose tokens these requests had.
    var users: Set<String> { Set(server.served.dropFirst(servedCount).compactMap(\.login)) }

    /// What has happened since this was last called.
    func takeNotes() -> Observation {
        let lines = events.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.joined(separator: " "))" }
        let observation = Observation(events: lines, requests: requests.sorted())
        servedCount = server.served.count
        (events, progress) = ([:], [:])
        return observation
    }

    /// Takes down what an observer was told.
    func note(_ event: ResourceEvent, of resource: Resource) {
        let address = resource.url.absoluteString.dropFirst(server.baseURL.absoluteString.count - 1)
        events[String(address), default: []].append("\(event)")
        wake()
    }
}
