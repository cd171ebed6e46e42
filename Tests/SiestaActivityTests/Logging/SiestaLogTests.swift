import Foundation
import Isolation

import SiestaTesting
import TestDoubles
import TestKit
import Testing

import SiestaActivity
@testable import SiestaCore
@testable import SiestaNetworking

/// The log is global. Therefore these tests run one after the other, restore its settings, and check only messages with
/// a word that is unique to the test, because other suites may run at the same time.
@MainActor @Suite(.serialized, .timeLimit(.test))
struct SiestaLogTests {
    let network = StubNetwork()

    /// Returns the messages of `categories` that contain `word` and are logged while `body` runs.
    func messages(
        _ categories: Set<SiestaLog.Category>, with word: String, during body: () async throws -> Void
    ) async rethrows -> [(category: SiestaLog.Category, text: String)] {
        let messages = Locked<[(category: SiestaLog.Category, text: String)]>([])
        let (handler, enabled) = (SiestaLog.messageHandler, SiestaLog.Category.enabled)
        SiestaLog.messageHandler = { category, text in
            if word.isEmpty || text.contains(word) { messages.withLock { $0.append((category, text)) } }
        }
        SiestaLog.Category.enabled = categories
        defer {
            SiestaLog.Category.enabled = enabled
            SiestaLog.messageHandler = handler
        }
        try await body()
        await mainQueueTurn()
        return messages.withLock { $0 }
    }

    @Test(arguments: [SiestaLog.Category.network, .networkDetails])
    func `A request that the handler of the log cancels is not sent, and releases its service`(
        category: SiestaLog.Category
    ) async throws {
        let (handler, enabled) = (SiestaLog.messageHandler, SiestaLog.Category.enabled)
        defer { (SiestaLog.messageHandler, SiestaLog.Category.enabled) = (handler, enabled) }
        weak var released: Service?
        do {
            let service = Service(baseURL: "https://api.test", networking: network)
            let resource = service.resource("/cancelled-while-logged")
            released = service
            SiestaLog.messageHandler = { _, _ in
                guard MainQueue.isCurrent else { return }
                MainActor.assumeIsolated {
                    for request in resource.allRequests where request.state == .inProgress { request.cancel() }
                }
            }
            SiestaLog.Category.enabled = [category]
            let info = await resource.load().completion()
            #expect(info.response.isCancellation)
            #expect(network.requests.isEmpty)
            SiestaLog.messageHandler = handler
        }
        await mainQueueTurn()
        #expect(released == nil)
    }

    // MARK: The log itself

    @Test func `A message of an enabled category reaches the handler, its parts joined by spaces`() async {
        let messages = await messages([.cache], with: "hello-parts") {
            SiestaLog.log(.cache, ["hello-parts", 12, 2.5, "end"])
        }
        #expect(messages.map(\.text) == ["hello-parts 12 2.5 end"])
        #expect(messages.map(\.category) == [.cache])
    }

    @Test func `Nil parts are left out`() async {
        let nothing: Int? = nil
        let messages = await messages([.cache], with: "hello-nil") {
            SiestaLog.log(.cache, ["hello-nil", nothing, "end", nil])
        }
        #expect(messages.map(\.text) == ["hello-nil end"])
    }

    @Test(arguments: SiestaLog.Category.allCases)
    func `A message of a disabled category goes nowhere, and its parts are not evaluated`(
        category: SiestaLog.Category
    ) async {
        var evaluations = 0
        func part() -> String {
            evaluations += 1
            return "hello-disabled"
        }
        let others = SiestaLog.Category.all.subtracting([category])
        let whileDisabled = await messages(others, with: "hello-disabled") { SiestaLog.log(category, [part()]) }
        #expect(whileDisabled.isEmpty)
        #expect(evaluations == 0)
        let whileEnabled = await messages([category], with: "hello-disabled") { SiestaLog.log(category, [part()]) }
        #expect(whileEnabled.map(\.category) == [category])
        #expect(evaluations == 1)
    }

    @Test func `The enabled categories are those that were set`() async {
        for categories in [[], [.network, .cache], SiestaLog.Category.all] as [Set<SiestaLog.Category>] {
            _ = await messages(categories, with: "hello-set") {
                #expect(SiestaLog.Category.enabled == categories)
            }
        }
    }

    @Test func `There are eight categories and three sets of them`() {
        #expect(
            SiestaLog.Category.allCases == [
                .network, .networkDetails, .pipeline, .stateChanges, .observers, .staleness, .cache, .configuration,
            ])
        #expect(SiestaLog.Category.all == Set(SiestaLog.Category.allCases))
        #expect(SiestaLog.Category.common.isStrictSubset(of: SiestaLog.Category.detailed))
        #expect(SiestaLog.Category.detailed.isStrictSubset(of: SiestaLog.Category.all))
        #expect(SiestaLog.Category.common.contains(.network))
        #expect(!SiestaLog.Category.detailed.contains(.networkDetails))
    }

    @Test func `The sets can be written as members of Set`() async {
        #expect(Set<SiestaLog.Category>.common == SiestaLog.Category.common)
        #expect(Set<SiestaLog.Category>.detailed == SiestaLog.Category.detailed)
        _ = await messages(.all, with: "hello-sets") { #expect(SiestaLog.Category.enabled == .all) }
    }

    @Test func `Messages may come from any thread`() async {
        let messages = await messages([.pipeline], with: "hello-thread") {
            await withTaskGroup { group in
                for number in 0..<50 { group.addTask { SiestaLog.log(.pipeline, ["hello-thread", number]) } }
            }
        }
        #expect(messages.count == 50)
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test func `Nothing is enabled at first`() async {
        await #expect(processExitsWith: .success) { #expect(SiestaLog.Category.enabled.isEmpty) }
    }

    @Test func `The first handler writes category and message to standard error`() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            SiestaLog.Category.enabled = [.network]
            SiestaLog.log(.network, ["hello", "there"])
            SiestaLog.log(.cache, ["not", "this"])
        }
        let output = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(output.contains("[Siesta:network] hello there\n"))
        #expect(!output.contains("not this"))
    }

    @Test func `The log of one load reads as in the article Logging`() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            SiestaLog.Category.enabled = .common
            await SiestaLogTests.loadUser()
        }
        #expect(
            String(decoding: result.standardErrorContent, as: UTF8.self) == """
                [Siesta:staleness] Resource(…/users/42)[] needs a load
                [Siesta:network] GET https://api.example.com/users/42
                [Siesta:network] Response: Success: User (application/json) ← GET https://api.example.com/users/42
                [Siesta:stateChanges] Resource(…/users/42)[D] received newData(network) from Success: User (application/json)

                """)
    }

    private static func loadUser() async {
        struct User: Decodable {}
        let network = StubNetwork()
        network.answer(.get, "/users/42", with: .json("{}"))
        let service = Service(baseURL: "https://api.example.com", networking: network)
        service.decode("/users/*", as: User.self)
        await service.resource("/users/42").loadIfNeeded()?.completion()
    }
    #endif

    // MARK: Messages of the library

    private func load(_ name: String, _ answer: StubAnswer, configure: (Service) -> Void = { _ in }) async -> Resource {
        network.answer(.get, "/\(name)", with: answer)
        let service = Service(baseURL: "http://log.test", networking: network)
        configure(service)
        let resource = service.resource("/\(name)")
        await resource.load().completion()
        return resource
    }

    @Test func `The start of a request and its answer are network messages`() async {
        let messages = await messages([.network], with: "log-network") { _ = await load("log-network", .text("x")) }
        #expect(messages.count == 2)
        #expect(messages.allSatisfy { $0.text.contains("GET http://log.test/log-network") })
    }

    @Test func `Changes of state, staleness, observers, configuration and caches have categories`() async {
        let recorder = ObserverRecorder()
        let messages = await messages(.all, with: "log-state") {
            let resource = await load("log-state", .text("x")) { service in
                service.configure("/log-state", description: "rule of log-state") { _ in }
            }
            resource.addObserver(recorder)
            resource.loadIfNeeded()
        }
        let categories = Set(messages.map(\.category))
        #expect(categories.isSuperset(of: [.network, .stateChanges, .staleness, .observers, .configuration]))
    }

    @Test func `Contents and bodies are never logged`() async {
        let messages = await messages(.all, with: "secret-content") {
            let resource = await load("log-content", .text("secret-content"))
            network.answer(.post, "/log-content", with: .text("secret-content"))
            await resource.request(.post, text: "secret-content").completion()
        }
        #expect(messages.isEmpty)
    }

    @Test func `Transformations are pipeline messages`() async {
        let messages = await messages([.pipeline], with: "MarkerOfLog") {
            _ = await load("log-pipeline", .text("x")) { service in
                service.configureTransformer("**") { (_: Entity<String>) in MarkerOfLog() }
            }
        }
        #expect(!messages.isEmpty)
    }

    private struct MarkerOfLog {}

    @Test func `A stage with transformers that the order does not name is warned of`() async {
        let key = PipelineStageKey(description: "log-stage")
        let messages = await messages([.pipeline], with: "log-stage") {
            _ = await load("log-order", .text("x")) { service in
                service.configure { $0.pipeline[key].add(TextResponseTransformer()) }
            }
        }
        #expect(messages.contains { $0.text.contains("Warning") })
    }

    // MARK: Secrets

    private nonisolated static let secretHeaders = [
        "Authorization", "authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-API-Key", "X-Auth-Token",
    ]

    @Test(arguments: secretHeaders)
    func `The values of secret request headers are not logged`(name: String) async {
        let messages = await messages(.all, with: "value-of-request") {
            _ = await load("log-secret", .text("x")) { service in
                service.configure { configuration in
                    configuration.headers[name] = "secret-value-of-request"
                    configuration.headers["X-Public"] = "public-value-of-request"
                }
            }
        }
        #expect(messages.contains { $0.category == .networkDetails && $0.text.contains("public-value-of-request") })
        #expect(messages.allSatisfy { !$0.text.contains("secret-value-of-request") })
        #expect(messages.contains { $0.text.contains("<redacted>") })
    }

    @Test(arguments: secretHeaders)
    func `The values of secret response headers are not logged`(name: String) async {
        let messages = await messages(.all, with: "value-of-response") {
            _ = await load(
                "log-secret",
                .text("x", headers: [name: "secret-value-of-response", "X-Public": "public-value-of-response"]))
        }
        #expect(messages.contains { $0.category == .networkDetails && $0.text.contains("public-value-of-response") })
        #expect(messages.allSatisfy { !$0.text.contains("secret-value-of-response") })
    }

    @Test func `Other names can be declared secret`() async {
        let names = SiestaLog.redactedHeaders
        defer { SiestaLog.redactedHeaders = names }
        SiestaLog.redactedHeaders.insert("x-session")
        let messages = await messages(.all, with: "value-of-session") {
            _ = await load("log-session", .text("x", headers: ["X-Session": "value-of-session"]))
        }
        #expect(messages.isEmpty)
    }

    @Test func `The headers that are secret at first are those of credentials and cookies`() {
        #expect(
            SiestaLog.redactedHeaders.isSuperset(
                of: ["authorization", "proxy-authorization", "cookie", "set-cookie"]))
        #expect(SiestaLog.redactedHeaders.allSatisfy { $0 == $0.lowercased() })
    }

    // MARK: Threads

    @Test func `Headers are made text of off the transport's thread`() async {
        let key = DispatchSpecificKey<Bool>()
        let transport = DispatchQueue(label: "transport")
        transport.setSpecific(key: key, value: true)
        let isOnTransport = Locked(false)
        let messages = await messages([.networkDetails], with: "x-thread-of-log") {
            let handler = SiestaLog.messageHandler
            SiestaLog.messageHandler = { category, text in
                let isHere = DispatchQueue.getSpecific(key: key) == true
                isOnTransport.withLock { $0 = $0 || isHere }
                handler(category, text)
            }
            let fields = HeaderFields(["X-Thread-Of-Log": "1"])
            let head = NetworkResponse.Head(status: 200, fields: fields)
            let response = NetworkResponse(head: head)
            await withCheckedContinuation { continuation in
                transport.async {
                    response.process(ResponseProcessing(Pipeline()), isContent: false) { _, _ in continuation.resume() }
                }
            }
        }
        #expect(messages.count == 1)
        #expect(!isOnTransport.withLock { $0 })
    }

    @Test func `A response that the main queue does not take is logged, once, and not without the category`() async {
        let timers = Locked<[@Sendable () -> Void]>([])
        let fire = { for timer in timers.withLock({ $0 }).suffix(1) { timer() } }
        let watch = MainQueueWatch { action in timers.withLock { $0.append(action) } }
        let head = NetworkResponse.Head(status: 200, fields: HeaderFields([:]))
        let response = NetworkResponse(head: head)
        let messages = await messages([.network], with: "main queue") {
            var isTaken = false
            response.process(ResponseProcessing(Pipeline()), isContent: false, watch: watch) { _, _ in isTaken = true }
            fire()
            fire()
            #expect(!isTaken)
            await mainQueueTurn()
            #expect(isTaken)
            fire()
        }
        #expect(messages.map(\.text.isEmpty) == [false])
        #expect(timers.withLock { $0.count } == 3)
        _ = await self.messages([], with: "main queue") {
            await withCheckedContinuation { continuation in
                response.process(ResponseProcessing(Pipeline()), isContent: false, watch: watch) { _, _ in
                    continuation.resume()
                }
            }
        }
        #expect(timers.withLock { $0.count } == 3)
    }
}
