import Foundation
import Siesta
import XCTest

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Calls the functions that ``Signatures`` compiles.
class SignatureTests: XCTestCase {
    private let network = CannedNetwork()
    private lazy var service = Service(baseURL: "https://h.test/", networking: network)

    private func turnMainRunLoop() {
        RunLoop.main.run(until: Date())
    }

    func testServiceSignatures() {
        XCTAssertEqual(Signatures.service(network), ["https://h.test/b/", "9", "7", "false"])
    }

    func testConfigurationSignatures() throws {
        try Signatures.configuration(service)
        let configuration = service.resource("/x").configuration
        XCTAssertEqual(configuration.expirationTime, 1)
        XCTAssertEqual(configuration.headers, ["A": "b", "B": "c"])
        XCTAssertEqual(service.resource("/x").configuration(for: .post).retryTime, 2)
        XCTAssertEqual(service.resource("/pipeline").configuration.pipeline.order.count, 6)
    }

    func testClosuresThatRunElsewhereMayCapture() {
        let heard = Signatures.capturing(service)
        let load = service.resource("/x").load()
        let done = expectation(description: "done")
        load.onCompletion { _ in done.fulfill() }
        wait(for: [done], timeout: 30)
        XCTAssertFalse(heard().isEmpty)
    }

    func testRequestSignatures() {
        let requests = Signatures.requests(service.resource("/x"))
        let done = expectation(description: "done")
        done.expectedFulfillmentCount = requests.count
        requests.forEach { request in request.onCompletion { _ in done.fulfill() } }
        wait(for: [done], timeout: 30)
        XCTAssertEqual(network.requests.count, requests.count)
        XCTAssertEqual(network.requests[1].timeoutInterval, 1)
        XCTAssertEqual(network.requests[4].value(forHTTPHeaderField: "M"), "m")
    }

    func testResourceSignatures() {
        let called = expectation(description: "called back")
        Signatures.resource(service.resource("/x")) { called.fulfill() }
        wait(for: [called], timeout: 30)
        XCTAssertNil(service.resource("/x").latestData)
    }

    func testObserverSignatures() {
        let observer = BookViewController(bookshop: BookshopAPI(networking: network))
        Signatures.observers(service.resource("/x"), owner: self, object: observer)
        XCTAssertEqual(observer.events, ["observerAdded", "observerAdded"])
        XCTAssertEqual(observer.stoppedCount, 2)
    }

    func testHookSignatures() {
        var calls: [String] = []
        let done = expectation(description: "done")
        Signatures.hooks(service.resource("/x").request(.get)) { calls.append($0) }
            .onCompletion { _ in done.fulfill() }
        wait(for: [done], timeout: 30)
        XCTAssertEqual(calls.prefix(1), ["true false"])
        XCTAssertTrue(calls.contains("new"))
        XCTAssertTrue(calls.contains("Not found"))
    }

    func testEntitySignatures() {
        XCTAssertEqual(
            Signatures.entities(),
            ["application/octet-stream", "\"1\"", "y", "text", "00", "[1, 2][1, 2]-", "112.0", "2"])
    }

    func testErrorSignatures() {
        XCTAssertEqual(Signatures.errors().count, 15)
    }

    func testLoggingSignatures() {
        var messages: [String] = []
        Signatures.logging { category, message in messages.append("\(category) \(message)") }
        XCTAssertEqual(messages, ["network one 2 https://h.test", "pipeline again x"])
    }

    func testValueSignatures() {
        XCTAssertEqual(Signatures.values(URLSession.shared), 3 + 2 + 8 + 4)
    }

    func testOwnTypesConvertToURLsAndPatterns() {
        let service = Service(baseURL: "https://bookshop.test/api", networking: network)
        XCTAssertTrue(service.resource(absoluteURL: Endpoint.books) === service.resource("/books"))
        XCTAssertTrue(service.resource(absoluteURL: MutableEndpoint()) === service.resource("/books"))
        service.configure(Endpoint.books) { $0.expirationTime = 7 }
        XCTAssertEqual(service.resource("/books/1").configuration.expirationTime, 7)
        service.configure(MutableEndpoint()) { $0.expirationTime = 8 }
        XCTAssertEqual(service.resource("/books").configuration.expirationTime, 8)
        XCTAssertEqual(service.resource("/books/1").configuration.expirationTime, 7)
    }

    func testFunctionsAreValues() {
        let resource = service.resource("/x")
        let functions = Functions(resource)
        resource.overrideLocalContent(with: "x")
        functions.wipe()
        XCTAssertNil(resource.latestData)
        XCTAssertTrue(functions.loadIfNeeded() === resource.loadRequests.first)
        XCTAssertTrue(functions.start(functions.load()) === resource.loadRequests.last)
        XCTAssertEqual(functions.urls([functions.child("y")]).first?.path, "/x/y")
        XCTAssertEqual(functions.loading([resource]), [resource])
        XCTAssertEqual(functions.children(["a", "b"], of: resource).count, 2)
        XCTAssertTrue(resource[keyPath: functions.path])
        functions.reset([resource])
        XCTAssertEqual(functions.titles([resource]), ["x"])
        turnMainRunLoop()
    }
}

/// A test case that observes, which isolates its class to the main actor.
class ObservingTests: XCTestCase, ResourceObserver {
    private var events: [ResourceEvent] = []

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        events.append(event)
    }

    func testATestCaseObserves() {
        let resource = Service(baseURL: "https://h.test/", networking: CannedNetwork()).resource("/x")
        resource.addObserver(self)
        resource.overrideLocalContent(with: "x")
        XCTAssertEqual(events, [.observerAdded, .newData(.localOverride)])
    }
}
