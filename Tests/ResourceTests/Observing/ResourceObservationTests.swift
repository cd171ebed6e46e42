import Foundation
import Isolation
import Observation

import SiestaTesting
import TestDoubles
import TestKit
import Testing
@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `withObservationTracking` and snapshots.
@MainActor @Suite(.timeLimit(.test))
struct ResourceObservationTests {
    private let stub = StubbedResource()

    enum Property: CaseIterable {
        case latestData, latestError, isLoading, isRequesting, isUpToDate, timestamp, text
    }

    enum Change: CaseIterable {
        case newData, failure, start, request, override, invalidate, wipe, nothing
    }

    @Test(arguments: Change.allCases)
    func `Exactly those are told who read what has changed`(_ change: Change) async {
        await stub.load(.text("old"))
        await stub.load(.response(500))
        stub.clock.advance(by: 5)
        let told = Locked<Set<Property>>([])
        for property in Property.allCases {
            withObservationTracking {
                read(property)
            } onChange: {
                told.withLock { _ = $0.insert(property) }
            }
        }
        await apply(change)
        #expect(told.withLock { $0 } == expected(change))
    }

    @Test func `Tracking sees the old value before a change, and the new one after it`() async {
        let seen = Locked<[String]>([])
        withObservationTracking {
            read(.latestData)
        } onChange: { [resource = stub.resource] in
            MainActor.assumeIsolated { seen.withLock { $0.append(resource.text) } }
        }
        stub.resource.overrideLocalContent(with: "new")
        #expect(seen.withLock { $0 } == [""])
        #expect(stub.resource.text == "new")
    }

    @Test func `Observations give a value again when what they read has changed`() async {
        let values = Observations { [resource = stub.resource] in resource.latestData?.content as? String }
        var iterator = values.makeAsyncIterator()
        #expect(await iterator.next() == .some(nil))
        stub.resource.overrideLocalContent(with: "one")
        #expect(await iterator.next() == "one")
        stub.resource.overrideLocalContent(with: "two")
        #expect(await iterator.next() == "two")
    }

    @Test(arguments: [Property.latestData, .latestError, .timestamp, .isUpToDate])
    func `A change made while being told of another comes before it`(_ property: Property) async {
        await stub.load(.response(500))
        stub.clock.advance(by: 5)
        var seen: [String] = []
        whenTold(of: property) {
            $0.overrideLocalContent(with: "reaction")
            seen.append($0.text)
        }
        stub.resource.overrideLocalContent(with: "change")
        #expect(seen == ["reaction"])
        #expect(stub.resource.text == "change")
        #expect(stub.resource.snapshot.data?.content as? String == "change")
    }

    @Test func `A wipe while being told of a response is final`() async {
        var events: [ResourceEvent] = []
        stub.resource.addObserver(owner: stub.service) { _, event in events.append(event) }
        events = []
        whenTold(of: .latestData) { $0.wipe() }
        await stub.load(.text("late"))
        #expect(stub.resource.latestData == nil)
        #expect(!stub.resource.isLoading)
        #expect(events == [.requested, .newData(.wipe), .requestCancelled])
    }

    @Test func `Loads that start while being told of another's start are loads of their own`() async {
        stub.network.answer(.get, "/thing", with: .text("first"), .text("second"))
        var nested: (any Request)?
        whenTold(of: .isLoading) { nested = $0.load() }
        let outer = stub.resource.load()
        #expect(stub.resource.state.loadsInFlight == 2)
        let texts = await [outer.completion().text, nested?.completion().text]
        #expect(Set(texts) == ["first", "second"])
        #expect(!stub.resource.isLoading)
    }

    @Test func `A reaction to the start of a load may need the same load`() async {
        stub.network.answer(.get, "/thing", with: .text("first"), .text("second"))
        var needed: (any Request)?
        whenTold(of: .isLoading) {
            $0.invalidate()
            needed = $0.loadIfNeeded()
        }
        let outer = stub.resource.load()
        #expect(needed != nil)
        _ = await (outer.completion(), needed?.completion())
        #expect(!stub.resource.isLoading)
    }

    @Test func `A property that changes only because of a reaction is announced, too`() async {
        await stub.load(.text("a"))
        var told: [Property] = []
        whenTold(of: .isLoading) { _ in told.append(.isLoading) }
        whenTold(of: .latestData) { resource in
            told.append(.latestData)
            resource.change { $0.wipe(loadsUpTo: 0) }
        }
        stub.resource.change { state in
            if state.hasData { state.wipe(loadsUpTo: 0) } else { _ = state.beginLoad() }
        }
        #expect(told == [.latestData, .isLoading])
    }

    /// Reacts once. Observation itself would tell an observer again that changes in its reaction what it has read.
    private func whenTold(of property: Property, _ react: @escaping @MainActor @Sendable (Resource) -> Void) {
        let isTold = Locked(false)
        withObservationTracking {
            read(property)
        } onChange: { [resource = stub.resource] in
            guard !isTold.withLock({ exchange(&$0, with: true) }) else { return }
            MainActor.assumeIsolated { react(resource) }
        }
    }

    // MARK: Snapshots

    @Test func `A snapshot can be read on any thread, and is of one moment`() async {
        let resource = stub.resource
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    (0..<1000).allSatisfy { _ in
                        let data = resource.snapshot.data
                        return data?.content as? String == data?.header(forKey: "number")
                    }
                }
            }
            for number in 0..<1000 {
                resource.overrideLocalData(
                    with: Entity(content: "\(number)", contentType: "text/plain", headers: ["number": "\(number)"]))
            }
            for await isWhole in group { #expect(isWhole) }
        }
    }

    @Test func `Other threads see a change that is announced only when it is made`() {
        var seen: [String?] = []
        whenTold(of: .latestData) { seen.append($0.snapshot.data?.content as? String) }
        stub.resource.overrideLocalContent(with: "new")
        seen.append(stub.resource.snapshot.data?.content as? String)
        #expect(seen == [nil, "new"])
    }

    @Test func `A snapshot tells what the resource tells`() async throws {
        #expect(stub.resource.snapshot.isStale)
        await stub.load(.text("a"))
        await stub.load(.response(404))
        let snapshot = stub.resource.snapshot
        #expect(snapshot.data?.content as? String == "a")
        #expect(snapshot.error?.httpStatusCode == 404)
        #expect(snapshot.timestamp == stub.resource.timestamp)
        #expect(!snapshot.isLoading)
        #expect(!snapshot.isStale)
        stub.clock.advance(by: 31)
        #expect(stub.resource.snapshot.isStale)
        #expect(!stub.resource.isUpToDate)
    }

    // MARK: Support

    private func read(_ property: Property) {
        switch property {
        case .latestData: _ = stub.resource.latestData
        case .latestError: _ = stub.resource.latestError
        case .isLoading: _ = stub.resource.isLoading
        case .isRequesting: _ = stub.resource.isRequesting
        case .isUpToDate: _ = stub.resource.isUpToDate
        case .timestamp: _ = stub.resource.timestamp
        case .text: _ = stub.resource.text
        }
    }

    private func apply(_ change: Change) async {
        switch change {
        case .newData: await stub.load(.text("new"))
        case .failure: await stub.load(.response(503))
        case .start:
            stub.network.answer(.get, "/thing", with: .held)
            stub.resource.load()
        case .request:
            stub.network.answer(.post, "/thing", with: .held)
            _ = stub.resource.request(.post)
        case .override: stub.resource.overrideLocalContent(with: "new")
        case .invalidate: stub.resource.invalidate()
        case .wipe: stub.resource.wipe()
        case .nothing: stub.resource.cancelLoadIfUnobserved()
        }
    }

    private func expected(_ change: Change) -> Set<Property> {
        let data: Set<Property> = [.latestData, .text]
        let loading: Set<Property> = [.isLoading, .isRequesting]
        switch change {
        case .newData: return data.union(loading).union([.latestError, .timestamp, .isUpToDate])
        case .failure: return loading.union([.latestError, .timestamp, .isUpToDate])
        case .start: return loading
        case .request: return [.isRequesting]
        case .override, .wipe: return data.union([.latestError, .timestamp, .isUpToDate])
        case .invalidate: return [.isUpToDate]
        case .nothing: return []
        }
    }
}
