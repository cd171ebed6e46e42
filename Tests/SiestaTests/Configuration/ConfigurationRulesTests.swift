import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// The time at which a configuration is computed, and the time for which it is kept.
@MainActor @Suite(.timeLimit(.test))
struct ConfigurationRulesTests {
    private let network = StubNetwork()
    private let service: Service

    /// Counts the calls of a closure.
    private final class Counter {
        var count = 0
    }

    init() {
        service = Service(baseURL: "http://rules.test", networking: network)
    }

    private func countingRule(_ pattern: String = "**") -> Counter {
        let counter = Counter()
        service.configure(pattern) { _ in counter.count += 1 }
        return counter
    }

    // MARK: Laziness

    @Test func `Configuring runs no closure`() {
        let counter = countingRule()
        service.configure(whenURLMatches: { _ in
            counter.count += 1
            return true
        }) { _ in counter.count += 1 }
        #expect(counter.count == 0)
    }

    @Test func `Navigating runs no closure`() {
        let counter = countingRule()
        service.configure(whenURLMatches: { _ in
            counter.count += 1
            return true
        }) { _ in counter.count += 1 }
        let resource = service.resource("/x")
        _ = resource.child("a").child("b").relative("../c").relative("?d=e").withParam("f", "g").withParams(["h": nil])
        _ = resource.optionalRelative("/i")
        _ = service.resource(absoluteURL: "http://elsewhere.test/")
        _ = service.resource(baseURL: "http://elsewhere.test/", path: "x")
        _ = resource.url
        _ = resource.description
        #expect(counter.count == 0)
    }

    @Test func `Closures run when the configuration is first needed`() async {
        let counter = countingRule()
        _ = service.resource("/x").configuration
        #expect(counter.count == 1)
        let forRequests = countingRule("/y")
        network.answer(.get, "/y", with: .text("y"))
        await service.resource("/y").request(.get).completion()
        #expect(forRequests.count == 1)
    }

    @Test func `Closures for resources or methods that nobody uses do not run`() {
        let elsewhere = countingRule("/elsewhere")
        let posting = Counter()
        service.configure("**", requestMethods: [.post]) { _ in posting.count += 1 }
        _ = service.resource("/x").configuration
        #expect(elsewhere.count == 0)
        #expect(posting.count == 0)
        _ = service.resource("/x").configuration(for: .post)
        #expect(posting.count == 1)
    }

    // MARK: Keeping

    @Test func `The result is kept`() async {
        let counter = countingRule()
        let resource = service.resource("/x")
        _ = resource.configuration
        let count = counter.count
        network.answer(.get, "/x", with: .text("x"))
        for _ in 0..<3 {
            _ = resource.configuration
            _ = resource.isUpToDate
            await resource.load().completion()
        }
        #expect(counter.count == count)
    }

    @Test func `The result is kept for each method`() {
        let counter = countingRule()
        let resource = service.resource("/x")
        for method in RequestMethod.allCases + RequestMethod.allCases { _ = resource.configuration(for: method) }
        #expect(counter.count == RequestMethod.allCases.count)
    }

    @Test func `What a closure reads from the app is read anew only after invalidateConfiguration`() {
        var token = "first"
        service.configure { $0.headers["X-Token"] = token }
        let resource = service.resource("/x")
        #expect(resource.configuration.headers["X-Token"] == "first")
        token = "second"
        #expect(resource.configuration.headers["X-Token"] == "first")
        service.invalidateConfiguration()
        #expect(resource.configuration.headers["X-Token"] == "second")
        #expect(resource.configuration(for: .post).headers["X-Token"] == "second")
    }

    @Test func `invalidateConfiguration runs no closure`() {
        let counter = countingRule()
        _ = service.resource("/x").configuration
        service.invalidateConfiguration()
        #expect(counter.count == 1)
    }

    @Test func `A predicate is asked again after invalidateConfiguration`() {
        var isMatching = false
        service.configure(whenURLMatches: { _ in isMatching }) { $0.expirationTime = 5 }
        let resource = service.resource("/x")
        #expect(resource.configuration.expirationTime == 30)
        isMatching = true
        #expect(resource.configuration.expirationTime == 30)
        service.invalidateConfiguration()
        #expect(resource.configuration.expirationTime == 5)
    }

    @Test func `Another entry applies at once, also to resources whose configuration was known`() {
        let resource = service.resource("/x")
        #expect(resource.configuration.expirationTime == 30)
        service.configure("/x") { $0.expirationTime = 5 }
        #expect(resource.configuration.expirationTime == 5)
        service.configureTransformer("/x") { (entity: Entity<String>) in entity.content }
        service.configure("/x", requestMethods: [.post]) { $0.expirationTime = 6 }
        #expect(resource.configuration.expirationTime == 5)
        #expect(resource.configuration(for: .post).expirationTime == 6)
    }

    @Test func `A request that is running keeps its configuration`() async {
        service.configure("/x") { $0.pipeline[.model].add(Appending("1")) }
        network.answer(.get, "/x", with: .held)
        let resource = service.resource("/x")
        let request = resource.load()
        service.configure("/x") { $0.pipeline[.model].add(Appending("2")) }
        network.lastExchange?.respond(with: .text("x"))
        await request.completion()
        #expect(resource.text == "x1")
        network.answer(.get, "/x", with: .text("x"))
        await resource.load().completion()
        #expect(resource.text == "x12")
    }

    @Test func `Closures may use other resources and their configuration`() {
        service.configure("/y") { $0.expirationTime = 5 }
        service.configure("/x") { [weak service] configuration in
            configuration.expirationTime = (service?.resource("/y").configuration.expirationTime ?? 0) + 1
        }
        #expect(service.resource("/x").configuration.expirationTime == 6)
    }

    // MARK: Many rules

    @Test func `Resources that match different entries have different configurations`() {
        service.configure("/a*") { $0.headers["A"] = "a" }
        service.configure("/*b") { $0.headers["B"] = "b" }
        #expect(service.resource("/x").configuration.headers.isEmpty)
        #expect(service.resource("/ax").configuration.headers == ["A": "a"])
        #expect(service.resource("/xb").configuration.headers == ["B": "b"])
        #expect(service.resource("/ab").configuration.headers == ["A": "a", "B": "b"])
        #expect(service.resource("/axb").configuration.headers == ["A": "a", "B": "b"])
    }

    @Test func `Hundreds of entries apply, each to its own resources`() {
        for number in 0..<300 {
            service.configure("/\(number)") { $0.expirationTime = TimeInterval(number) }
        }
        for number in 0..<300 {
            #expect(service.resource("/\(number)").configuration.expirationTime == TimeInterval(number))
        }
        service.configure { $0.expirationTime += 1000 }
        for number in [0, 63, 64, 127, 128, 299] {
            #expect(service.resource("/\(number)").configuration.expirationTime == TimeInterval(number + 1000))
        }
    }

    // MARK: Reading the configuration while it is computed

    @Test func `A configurer that asks for what depends on the configuration gets the answer of one without rules`() {
        var seen: [TimeInterval] = []
        let resource = service.resource("/x")
        resource.overrideLocalContent(with: "x")
        service.configure { $0.expirationTime = 100 }
        service.configure { configuration in
            seen.append(resource.configuration.expirationTime)
            _ = (resource.isUpToDate, resource.latestData)
            _ = service.resource("/other").isUpToDate
            configuration.retryTime = 7
        }
        #expect(resource.configuration.expirationTime == 100)
        #expect(resource.configuration.retryTime == 7)
        #expect(seen == [30])
        #expect(service.resource("/other").configuration.expirationTime == 100)
    }

    @Test func `A test of URLs that asks so gets the same, and no other resource keeps that answer`() {
        let (resource, other) = (service.resource("/x"), service.resource("/other"))
        var seen: [TimeInterval] = []
        service.configure { $0.expirationTime = 100 }
        service.configure(whenURLMatches: { url in
            seen.append(other.configuration.expirationTime)
            _ = (resource.isUpToDate, resource.latestData)
            return url.path == "/x"
        }) { $0.retryTime = 7 }
        #expect(resource.configuration.expirationTime == 100)
        #expect(resource.configuration.retryTime == 7)
        #expect(seen == [30])
        #expect(other.configuration.expirationTime == 100)
        #expect(other.configuration.retryTime == 1)
    }

    @Test func `Rules that are added while a configuration is made apply from its next use`() {
        var isFirst = true
        service.configure(whenURLMatches: { _ in
            if isFirst {
                isFirst = false
                service.configure { $0.expirationTime = 7 }
            }
            return true
        }) { $0.retryTime = 7 }
        _ = service.resource("/x").configuration
        #expect(service.resource("/x").configuration.expirationTime == 7)
        #expect(service.resource("/x").configuration.retryTime == 7)
        #expect(service.resource("/y").configuration.expirationTime == 7)
        var isFirstAgain = true
        service.configure { _ in
            if isFirstAgain {
                isFirstAgain = false
                service.configure { $0.expirationTime = 8 }
            }
        }
        _ = service.resource("/x").configuration
        #expect(service.resource("/x").configuration.expirationTime == 8)
    }

    @Test
    func `A resource whose data is read while its configuration is made still looks into its cache afterwards`() async {
        let cache = InMemoryCache()
        cache.entities = ["http://rules.test/x": Entity(content: "cached", contentType: "text/plain")]
        let resource = service.resource("/x")
        service.configure(whenURLMatches: { _ in
            _ = resource.latestData
            return true
        }) { configuration in
            _ = resource.latestData
            configuration.pipeline[.cleanup].cacheUsing(cache)
        }
        _ = resource.configuration
        let recorder = ObserverRecorder()
        resource.addObserver(recorder)
        await recorder.next(.newData(.cache))
        #expect(resource.text == "cached")
    }
}
