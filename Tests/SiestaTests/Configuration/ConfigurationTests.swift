import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor @Suite(.timeLimit(.test))
struct ConfigurationTests {
    private let network = StubNetwork()
    private let service: Service
    private var resource: Resource { service.resource("/x") }

    init() {
        service = Service(baseURL: "http://configured.test", networking: network)
    }

    @Test func `The defaults are 30 seconds, 1 second, 0.05 seconds, no headers and the standard order`() {
        for configuration in [Configuration(), resource.configuration] {
            #expect(configuration.expirationTime == 30)
            #expect(configuration.retryTime == 1)
            #expect(configuration.progressReportingInterval == 0.05)
            #expect(configuration.headers.isEmpty)
            #expect(configuration.pipeline.order == [.rawData, .decoding, .parsing, .model, .cleanup])
        }
    }

    // MARK: Order

    @Test func `Entries apply in the order they were added, each to what the earlier ones made`() {
        service.configure { $0.headers["X"] = "1" }
        service.configure("/x") { $0.headers["X", default: ""] += "2" }
        service.configure("/y") { $0.headers["X", default: ""] += "no" }
        service.configure(whenURLMatches: { _ in true }) { $0.headers["X", default: ""] += "3" }
        service.configure(resource) { $0.headers["X", default: ""] += "4" }
        service.configure("/*") { $0.expirationTime = 5 }
        service.configure("/x") { $0.expirationTime *= 2 }
        #expect(resource.configuration.headers == ["X": "1234"])
        #expect(resource.configuration.expirationTime == 10)
    }

    @Test func `A later entry of wider reach overrides an earlier one of narrower reach`() {
        service.configure("/x") { $0.expirationTime = 1 }
        service.configure { $0.expirationTime = 2 }
        #expect(resource.configuration.expirationTime == 2)
    }

    // MARK: Methods

    @Test func `Entries are for all methods unless they name some`() {
        service.configure("/x") { $0.expirationTime = 5 }
        for method in RequestMethod.allCases { #expect(resource.configuration(for: method).expirationTime == 5) }
    }

    @Test func `Entries that name methods are for those alone`() {
        service.configure("/x", requestMethods: [.post, .delete]) { $0.expirationTime = 5 }
        service.configure(requestMethods: [.put]) { $0.expirationTime = 6 }
        service.configure(whenURLMatches: { _ in true }, requestMethods: [.head]) { $0.expirationTime = 7 }
        service.configure("/x", requestMethods: []) { $0.expirationTime = 8 }
        let expected: [RequestMethod: TimeInterval] = [.post: 5, .delete: 5, .put: 6, .head: 7]
        for method in RequestMethod.allCases {
            #expect(resource.configuration(for: method).expirationTime == expected[method] ?? 30)
        }
    }

    @Test func `The configuration of a resource is that for GET`() {
        service.configure("/x", requestMethods: [.get]) { $0.expirationTime = 5 }
        #expect(resource.configuration.expirationTime == 5)
        #expect(resource.configuration(for: .post).expirationTime == 30)
    }

    // MARK: Effects of the options

    @Test func `Configured headers are sent`() async {
        service.configure { $0.headers["X-Everywhere"] = "a" }
        service.configure("/x", requestMethods: [.post]) { $0.headers["X-Post"] = "b" }
        network.answer(.get, "/x", with: .text("x"))
        network.answer(.post, "/x", with: .text("x"))
        await resource.request(.get).completion()
        await resource.request(.post).completion()
        #expect(network.requests[0].value(forHTTPHeaderField: "X-Everywhere") == "a")
        #expect(network.requests[0].value(forHTTPHeaderField: "X-Post") == nil)
        #expect(network.requests[1].value(forHTTPHeaderField: "X-Everywhere") == "a")
        #expect(network.requests[1].value(forHTTPHeaderField: "X-Post") == "b")
    }

    @Test func `Mutations apply in the order they were added, after the headers`() async {
        service.configure { configuration in
            configuration.mutateRequests { $0.setValue("1", forHTTPHeaderField: "X") }
            configuration.headers["X"] = "0"
        }
        service.configure("/x") { configuration in
            configuration.mutateRequests {
                $0.setValue(($0.value(forHTTPHeaderField: "X") ?? "") + "2", forHTTPHeaderField: "X")
            }
        }
        network.answer(.get, "/x", with: .text("x"))
        await resource.request(.get).completion()
        #expect(network.requests.first?.value(forHTTPHeaderField: "X") == "12")
    }

    @Test func `Decorators apply in the order they were added, and get the resource`() async {
        var order: [String] = []
        for name in ["first", "second"] {
            service.configure { configuration in
                configuration.decorateRequests { resource, request in
                    order.append("\(name) \(resource.url.path)")
                    return request
                }
            }
        }
        network.answer(.get, "/x", with: .text("x"))
        await resource.request(.get).completion()
        #expect(order == ["first /x", "second /x"])
    }

    @Test func `The expiration time decides what is up to date`() {
        let clock = TestClock()
        let service = clock.whileCurrent { Service(baseURL: "http://configured.test", networking: network) }
        service.configure("/long") { $0.expirationTime = 100 }
        for path in ["/long", "/usual"] { service.resource(path).overrideLocalContent(with: "x") }
        clock.advance(by: 30)
        #expect(service.resource("/usual").isUpToDate)
        clock.advance(by: 1)
        #expect(!service.resource("/usual").isUpToDate)
        clock.advance(by: 69)
        #expect(service.resource("/long").isUpToDate)
        clock.advance(by: 1)
        #expect(!service.resource("/long").isUpToDate)
    }

    @Test func `The retry time decides when to try again after an error`() async {
        let clock = TestClock()
        let service = clock.whileCurrent { Service(baseURL: "http://configured.test", networking: network) }
        service.configure("/x") { $0.retryTime = 10 }
        network.answer(.get, "/x", with: .response(500))
        await service.resource("/x").load().completion()
        clock.advance(by: 10)
        #expect(service.resource("/x").isUpToDate)
        clock.advance(by: 1)
        #expect(!service.resource("/x").isUpToDate)
    }

    @Test func `The pipeline of the method after mutation is used`() async {
        service.configure("/x", requestMethods: [.put]) { $0.pipeline[.model].add(Appending(" by put")) }
        network.answer(.put, "/x", with: .text("x"))
        let request = resource.request(.post) { $0.httpMethod = "PUT" }
        #expect(await request.completion().response.success?.text == "x by put")
    }

    @Test func `A configuration is a value`() {
        var copy = resource.configuration
        copy.expirationTime = 1
        copy.headers["X"] = "y"
        #expect(resource.configuration.expirationTime == 30)
        #expect(resource.configuration.headers.isEmpty)
    }

    @Test func `A later entry replaces a header whose name differs only in case`() async {
        service.configure { $0.headers = ["X-Token": "a", "X": "1"] }
        service.configure("/x") { $0.headers["x-token"] = "b" }
        let resource = service.resource("/x")
        #expect(resource.configuration.headers == ["x-token": "b", "X": "1"])
        network.answer(.get, "/x", with: .text("x"))
        await resource.request(.get).completion()
        #expect(network.requests.first?.value(forHTTPHeaderField: "X-Token") == "b")
    }
}

extension Result {
    /// The value of a success; nil for a failure.
    fileprivate var success: Success? { try? get() }
}
