import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@MainActor @Suite(.timeLimit(.test))
struct ServiceWipingTests {
    private let service = Service(baseURL: "https://h.test/v1", networking: StubNetwork())

    init() {
        for name in ["a", "a/b", "c"] { service.resource(name).overrideLocalContent(with: name) }
    }

    private var remaining: [String] {
        ["a", "a/b", "c"].filter { service.resource($0).latestData != nil }
    }

    @Test func `All resources are wiped by default`() {
        service.wipeResources()
        #expect(remaining == [])
    }

    @Test func `Resources that pass a test are wiped; each is asked about once`() {
        var asked: [String] = []
        service.wipeResources { (resource: Resource) in
            asked.append(resource.text)
            return resource.text == "c"
        }
        #expect(remaining == ["a", "a/b"])
        #expect(asked.sorted() == ["a", "a/b", "c"])
    }

    @Test(arguments: [("/a", ["a/b", "c"]), ("a/**", ["a", "c"]), ("*", ["a/b"])])
    func `Resources that match a pattern are wiped`(_ pattern: String, _ result: [String]) {
        service.wipeResources(matching: pattern)
        #expect(remaining == result)
    }

    @Test func `Resources that match a regular expression are wiped`() throws {
        service.wipeResources(matching: try NSRegularExpression(pattern: "[bc]$"))
        #expect(remaining == ["a"])
    }

    @Test func `A resource as pattern wipes itself alone`() {
        service.wipeResources(matching: service.resource("a"))
        #expect(remaining == ["a/b", "c"])
    }

    @Test func `Resources whose URLs pass a test are wiped`() {
        service.wipeResources(withURLsMatching: { $0.lastPathComponent == "b" })
        #expect(remaining == ["a", "c"])
    }

    @Test func `Resources elsewhere are wiped, too, and observers are told`() {
        let recorder = ObserverRecorder()
        let other = service.resource(absoluteURL: "http://other.test/")
        other.addObserver(recorder)
        service.wipeResources()
        #expect(recorder.events == [.observerAdded, .newData(.wipe)])
    }

    @Test func `Observers may make new resources while all are wiped`() {
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

    @Test func `Requests in flight are cancelled, loads and others`() {
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
