import Foundation
import Siesta
import SiestaTesting
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct ServiceWipingTests {
    private let service = Service(baseURL: "https://h.test/v1", networking: StubNetwork())

    init() {
        for name in ["a", "a/b", "c"] { service.resource(name).overrideLocalContent(with: name) }
    }

    private var remaining: [String] {
        ["a", "a/b", "c"].filter { service.resource($0).latestData != nil }
    }

    @Test("All resources are wiped by default")
    func wipesAll() {
        service.wipeResources()
        #expect(remaining == [])
    }

    @Test("Resources that pass a test are wiped; each is asked about once")
    func wipesMatching() {
        var asked: [String] = []
        service.wipeResources { (resource: Resource) in
            asked.append(resource.text)
            return resource.text == "c"
        }
        #expect(remaining == ["a", "a/b"])
        #expect(asked.sorted() == ["a", "a/b", "c"])
    }

    @Test(
        "Resources that match a pattern are wiped",
        arguments: [("/a", ["a/b", "c"]), ("a/**", ["a", "c"]), ("*", ["a/b"])])
    func wipesPattern(_ pattern: String, _ result: [String]) {
        service.wipeResources(matching: pattern)
        #expect(remaining == result)
    }

    @Test("Resources that match a regular expression are wiped")
    func wipesExpression() throws {
        service.wipeResources(matching: try NSRegularExpression(pattern: "[bc]$"))
        #expect(remaining == ["a"])
    }

    @Test("A resource as pattern wipes itself alone")
    func wipesItself() {
        service.wipeResources(matching: service.resource("a"))
        #expect(remaining == ["a/b", "c"])
    }

    @Test("Resources whose URLs pass a test are wiped")
    func wipesURLs() {
        service.wipeResources(withURLsMatching: { $0.lastPathComponent == "b" })
        #expect(remaining == ["a", "c"])
    }

    @Test("Resources elsewhere are wiped, too, and observers are told")
    func tellsObservers() {
        let recorder = ObserverRecorder()
        let other = service.resource(absoluteURL: "http://other.test/")
        other.addObserver(recorder)
        service.wipeResources()
        #expect(recorder.events == [.observerAdded, .newData(.wipe)])
    }

    @Test("Observers may make new resources while all are wiped")
    func mayGrow() {
        let recorder = ObserverRecorder()
        recorder.onEvent = { [service] event in
            guard case .newData = event else { return }
            for number in 0..<100 { service.resource("new\(number)").overrideLocalContent(with: number) }
        }
        service.resource("a").addObserver(recorder)
        service.wipeResources()
        #expect(remaining == [])
        #expect(service.resource("new99").typedContent() == 99)
    }

    @Test("Requests in flight are cancelled, loads and others")
    func cancels() {
        let network = StubNetwork()
        network.answer(.get, "/a", with: .held)
        network.answer(.post, "/a", with: .held)
        let service = Service(baseURL: "https://h.test", networking: network)
        let requests = [service.resource("a").load(), service.resource("a").request(.post)]
        service.wipeResources(matching: "/a")
        #expect(requests.map(\.state) == [.completed, .completed])
        #expect(network.exchanges.map(\.isCancelled) == [true, true])
    }
}
