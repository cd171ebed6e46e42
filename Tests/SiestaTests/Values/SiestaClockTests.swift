import Dispatch
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
struct SiestaClockTests {
    @Test func `The system clock is current unless a scope says otherwise`() {
        #expect(SiestaClock.current === SiestaClock.system)
        let clock = TestClock()
        clock.whileCurrent { #expect(SiestaClock.current === clock.clock) }
        #expect(SiestaClock.current === SiestaClock.system)
    }

    @Test func `The system clock shows seconds since the reference date`() {
        let before = Date().timeIntervalSinceReferenceDate
        let shown = SiestaClock.system.wallTime
        #expect(shown >= before)
        #expect(shown <= Date().timeIntervalSinceReferenceDate)
    }

    @Test func `Monotonic time never goes back`() {
        let first = SiestaClock.system.monotonicTime
        #expect(SiestaClock.system.monotonicTime >= first)
    }

    @Test(arguments: [0, -5, 0.001])
    func `The system clock calls back on the main actor, never before returning`(delay: TimeInterval) async {
        var hasReturned = false
        await withCheckedContinuation { continuation in
            SiestaClock.system.schedule(after: delay) {
                MainActor.assertIsolated()
                #expect(hasReturned)
                continuation.resume()
            }
            hasReturned = true
        }
    }

    @Test func `A service keeps the clock that was current when it was made, and calls back with it`() async {
        let clock = TestClock(wallTime: 77)
        let network = StubNetwork()
        network.answer(.get, "/x", with: .text("x"))
        let service = clock.whileCurrent { Service(baseURL: "http://clock.test", networking: network) }
        service.configureTransformer("/x") { (entity: Entity<String>) -> TimeInterval? in
            Entity(content: entity.text, contentType: "a/b").timestamp
        }
        let resource = service.resource("/x")
        var timestampInHook: TimeInterval?
        let request = resource.load().onSuccess { _ in
            timestampInHook = Entity(content: 0, contentType: "a/b").timestamp
        }
        await request.completion()
        #expect(resource.latestData?.timestamp == 77)
        #expect(resource.typedContent(ifNone: 0.0) == 77)
        #expect(timestampInHook == 77)
    }

    @Test func `A service on the system's clock uses this clock even while another clock is current`() async {
        let service = Service(baseURL: "http://clock.test", networking: ImmediateNetwork())
        let resource = service.resource("/x")
        var timestamps: [TimeInterval] = []
        let start = SiestaClock.system.wallTime
        let request = TestClock(wallTime: 77).whileCurrent {
            service.configure("/x") {
                $0.mutateRequests { _ in timestamps.append(Entity(content: 0, contentType: "a/b").timestamp) }
            }
            return resource.load().onSuccess { _ in
                timestamps.append(Entity(content: 0, contentType: "a/b").timestamp)
            }
        }
        await request.completion()
        timestamps.append(resource.timestamp)
        #expect(timestamps.count == 3)
        #expect(timestamps.allSatisfy { $0 >= start })
    }

    @Test func `A chain calls back with the clock of the request that it wraps`() async {
        let network = StubNetwork()
        network.answer(.get, "/x", with: .text("x"))
        let service = TestClock(wallTime: 77).whileCurrent {
            Service(baseURL: "http://clock.test", networking: network)
        }
        var timestamps: [TimeInterval] = []
        let note = { timestamps.append(Entity(content: 0, contentType: "a/b").timestamp) }
        let chain = service.resource("/x").request(.get).chained { _ in
            note()
            return .useThisResponse
        }
        await chain.onSuccess { _ in note() }.completion()
        #expect(timestamps == [77, 77])
    }

    @Test func `The work of a custom request has the clock with which the request was made`() async throws {
        let request = TestClock(wallTime: 77).whileCurrent { Resource.prepareRequest(using: TimestampWork()) }
        let entity = try await request.start().value.entityForTypedContentAccessors
        #expect(entity?.timestamp == 77)
    }

    @Test func `A cache of the app, and the stages after it, have the clock of the service`() async {
        let clock = TestClock(wallTime: 77)
        let service = clock.whileCurrent { Service(baseURL: "http://clock.test", networking: StubNetwork()) }
        service.configure {
            $0.pipeline[.rawData].cacheUsing(TimestampCache())
            $0.pipeline[.model].add(
                ResponseContentTransformer { (entity: Entity<TimeInterval>) in
                    [entity.content, Entity(content: 0, contentType: "a/b").timestamp]
                })
        }
        let resource = service.resource("/x")
        _ = resource.latestData
        await resource.cacheIsRead()
        #expect(resource.latestData?.timestamp == 77)
        #expect(resource.typedContent() == [77.0, 77.0])
    }
}

/// A provider that responds before `startRequest` returns.
private struct ImmediateNetwork: NetworkingProvider, RequestNetworking {
    var transferMetrics: RequestTransferMetrics {
        RequestTransferMetrics(
            requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)
    }

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        let response = request.url.flatMap {
            HTTPURLResponse(url: $0, statusCode: 200, httpVersion: nil, headerFields: ["Content-Type": "x/y"])
        }
        completion(response, Data([1]), nil)
        return self
    }

    func cancel() {}
}

/// Completes with an entity that it creates when it starts.
private struct TimestampWork: RequestDelegate {
    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
        completionHandler.broadcastResponse(
            ResponseInfo(response: .success(Entity<Any>(content: 0, contentType: "a/b"))))
    }

    func cancelUnderlyingOperation() {}
    func repeated() -> any RequestDelegate { self }
}

/// A cache that always contains an entity whose content is the time at which it is read.
private struct TimestampCache: EntityCache {
    func key(for resource: Resource) -> String? { "key" }

    func readEntity(forKey key: String) -> Entity<Any>? {
        let now = Entity<Any>(content: 0, contentType: "a/b").timestamp
        return Entity(content: now, contentType: "a/b")
    }

    func writeEntity(_ entity: Entity<Any>, forKey key: String) {}
    func removeEntity(forKey key: String) {}
}
