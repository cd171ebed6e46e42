import Foundation
import SiestaActivity
import SiestaCore
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the closures of an export receive, and the header `traceparent`.
@MainActor @Suite(.timeLimit(.test))
struct ActivityExportTests {
    private let network = StubNetwork()
    private let clock = TestClock()
    private let service: Service

    init() {
        let (network, clock) = (network, clock)
        service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: network) }
    }

    private func spans(_ count: Int, _ act: () async throws -> Void) async throws -> [ActivitySpan] {
        let (spans, span) = AsyncStream.makeStream(of: ActivitySpan.self)
        let export = service.export(ActivityExport(trace: { span.yield($0) }))
        defer { export.cancel() }
        try await act()
        var found: [ActivitySpan] = []
        for await span in spans {
            found.append(span)
            if found.count == count { break }
        }
        return found
    }

    @Test func `A request is a span with its duration, status and retries`() async throws {
        service.configure {
            $0.retry = .standard
            $0.sendsTraceContext = true
        }
        network.answer(.get, "/user", with: .response(503), .json("{}"))
        let spans = try await spans(1) {
            let load = service.resource("/user").withParam("token", "secret").load()
            try await clock.waitForTimers(1)
            clock.advance(by: 10)
            await load.completion()
        }
        let span = try #require(spans.first)
        #expect(span.name == "GET")
        #expect(span.duration > 0)
        #expect(span.duration <= 10)
        #expect(span.attributes["http.response.status_code"] == "200")
        #expect(span.attributes["http.request.resend_count"] == "1")
        #expect(span.attributes["server.address"] == "api.test")
        #expect(span.attributes["url.full"]?.contains("secret") == false)
        let headers = network.requests.map { $0.value(forHTTPHeaderField: "traceparent") ?? "" }
        #expect(headers.last == span.context?.traceparent)
        #expect(Set(headers.map { $0.split(separator: "-")[1] }).count == 1)
        #expect(Set(headers).count == 2)
        #expect(headers.allSatisfy { $0.wholeMatch(of: /00-[0-9a-f]{32}-[0-9a-f]{16}-01/) != nil })
    }

    @Test func `Failures and cancellations have an error type`() async throws {
        network.answer(.get, "/user", with: .response(404), .failure(.timedOut), .held)
        let spans = try await spans(3) {
            await service.resource("/user").load().completion()
            await service.resource("/user").load().completion()
            service.resource("/user").load().cancel()
        }
        #expect(spans.map { $0.attributes["error.type"] } == ["404", "failure", "cancelled"])
    }

    @Test func `Measurements have names, units and no URLs`() async throws {
        network.answer(.get, "/user", with: .json("{}"))
        let (measurements, measurement) = AsyncStream.makeStream(of: ActivityMeasurement.self)
        let export = service.export(ActivityExport(measure: { measurement.yield($0) }))
        defer { export.cancel() }
        await service.resource("/user").load().completion()
        var found: [ActivityMeasurement] = []
        for await measurement in measurements {
            found.append(measurement)
            if measurement.name == "http.client.request.duration" { break }
        }
        #expect(found.map(\.name) == ["siesta.transformation.duration", "http.client.request.duration"])
        #expect(found.allSatisfy { $0.unit == "s" })
        #expect(!found.contains { $0.attributes.values.contains { $0.contains("/user") } })
    }

    @Test func `A request keeps its own traceparent, and by default there is none`() async throws {
        network.handler = { _ in .text("") }
        await service.resource("/a").load().completion()
        service.configure { $0.sendsTraceContext = true }
        let own = "00-00000000000000000000000000000001-0000000000000001-00"
        await service.resource("/a").request(.get) { $0.setValue(own, forHTTPHeaderField: "traceparent") }.completion()
        #expect(network.requests.map { $0.value(forHTTPHeaderField: "traceparent") } == [nil, own])
    }

    @Test func `An export without a reference continues`() async throws {
        let (events, event) = AsyncStream.makeStream(of: Int.self)
        service.export(ActivityExport(log: { event.yield($0.id) }))
        service.resource("/a").invalidate()
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == 1)
    }
}
