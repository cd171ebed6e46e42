import Foundation

import TestDoubles
import TestKit
import Testing
@testable import SiestaCore
@testable import SiestaNetworking

/// The rules of a resource's state, without a resource.
@MainActor @Suite(.timeLimit(.test))
struct ResourceStateTests {
    typealias Moment = Resource.State.Moment

    private static let start = Moment(wallTime: 1_000_000, monotonicTime: 50)

    // MARK: Effects of a load

    struct Ending: CustomTestStringConvertible {
        let name: String
        let info: @Sendable () -> ResponseInfo
        let event: ResourceEvent
        let content: String?
        let hasError: Bool

        var testDescription: String { name }
    }

    nonisolated static let endings = [
        Ending(
            name: "new data is shown and clears the error", info: { .text("new") }, event: .newData(.network),
            content: "new",
            hasError: false),
        Ending(
            name: "a confirmation keeps the data and clears the error", info: { .text("any", isNew: false) },
            event: .notModified, content: "old", hasError: false),
        Ending(
            name: "a failure keeps the data", info: { ResponseInfo(response: .failure(failure())) }, event: .error,
            content: "old", hasError: true),
        Ending(
            name: "a cancellation changes nothing", info: { .cancellation }, event: .requestCancelled, content: "old",
            hasError: true),
    ]

    @Test(arguments: endings)
    func `A load`(_ ending: Ending) {
        var state = stateWithDataAndError()
        let event = state.endLoad(state.beginLoad(), with: ending.info(), at: Self.start)
        #expect(event == ending.event)
        #expect(content(of: state) == ending.content)
        #expect((state.error != nil) == ending.hasError)
    }

    @Test(arguments: endings)
    func `An answer that a load which started later has overtaken changes nothing`(_ ending: Ending) {
        var state = Resource.State()
        let (earlier, later) = (state.beginLoad(), state.beginLoad())
        _ = state.endLoad(later, with: .text("later"), at: Self.start)
        let event = state.endLoad(earlier, with: ending.info(), at: Self.start)
        #expect(event == (ending.event == .requestCancelled ? .requestCancelled : .notModified))
        #expect(content(of: state) == "later")
        #expect(state.error == nil)
    }

    @Test(arguments: endings[2...])
    func `A later load that failed or was cancelled does not keep an earlier one's data from being shown`(
        _ ending: Ending
    ) {
        var state = Resource.State()
        let (earlier, later) = (state.beginLoad(), state.beginLoad())
        _ = state.endLoad(later, with: ending.info(), at: Self.start)
        #expect(state.endLoad(earlier, with: .text("earlier"), at: Self.start) == .newData(.network))
        #expect(content(of: state) == "earlier")
        #expect(state.error == nil)
    }

    @Test(arguments: endings)
    func `A load that began before a wipe is not heard after it, one that began after it is`(_ ending: Ending) {
        var state = stateWithDataAndError()
        let earlier = state.beginLoad()
        state.wipe(loadsUpTo: state.lastLoad)
        #expect(state.endLoad(earlier, with: ending.info(), at: Self.start) == .requestCancelled)
        #expect(state.data == nil)
        #expect(state.error == nil)
        #expect(state.endLoad(state.beginLoad(), with: .text("new"), at: Self.start) == .newData(.network))
        #expect(content(of: state) == "new")
    }

    @Test func `A load that began while a wipe was under way is not part of what is wiped`() {
        var state = Resource.State()
        let earlier = state.beginLoad()
        let lastWiped = state.lastLoad
        let during = state.beginLoad()
        state.wipe(loadsUpTo: lastWiped)
        #expect(state.endLoad(earlier, with: .text("earlier"), at: Self.start) == .requestCancelled)
        #expect(state.endLoad(during, with: .text("during"), at: Self.start) == .newData(.network))
    }

    @Test func `An override is replaced by any load that succeeds afterwards, whenever that began`() {
        var state = Resource.State()
        let number = state.beginLoad()
        state.overrideData(entity("local", at: Self.start), at: Self.start)
        #expect(state.source == .local)
        #expect(state.serverData == nil)
        #expect(state.endLoad(number, with: .text("loaded"), at: Self.start) == .newData(.network))
        #expect(content(of: state) == "loaded")
        #expect(state.source == .network)
    }

    @Test func `No answer confirms local content, but a success ends the error`() {
        var state = Resource.State()
        state.overrideData(entity("local", at: Self.start), at: Self.start)
        _ = state.endLoad(state.beginLoad(), with: ResponseInfo(response: .failure(Self.failure())), at: Self.start)
        let later = Moment(wallTime: Self.start.wallTime + 500, monotonicTime: Self.start.monotonicTime + 500)
        #expect(state.endLoad(state.beginLoad(), with: .text("local", isNew: false), at: later) == .notModified)
        #expect(state.source == .local)
        #expect(state.timestamp == Self.start.wallTime)
        #expect(state.error == nil)
        #expect(!isUpToDate(state, after: 500))
    }

    @Test func `A confirmation of another version confirms nothing, and does not overtake earlier loads`() {
        var state = Resource.State()
        state.setCachedData(Entity(content: "old", headers: ["ETag": "1"], timestamp: 0), at: Self.start)
        let (earlier, later) = (state.beginLoad(), state.beginLoad())
        let other = Entity<Any>(content: "any", headers: ["ETag": "2"], timestamp: 0)
        let event = state.endLoad(later, with: ResponseInfo(response: .success(other), isNew: false), at: Self.start)
        #expect(event == .notModified)
        #expect(state.source == .cache)
        #expect(state.endLoad(earlier, with: .text("new"), at: Self.start) == .newData(.network))
        let same = Entity<Any>(content: "any", headers: [:], timestamp: 0)
        _ = state.endLoad(state.beginLoad(), with: ResponseInfo(response: .success(same), isNew: false), at: Self.start)
        #expect(state.source == .revalidated)
    }

    @Test func `The progress is that of the loads which are still running`() {
        var state = Resource.State()
        let (first, second) = (state.beginLoad(), state.beginLoad())
        state.advance(to: 0.01)
        state.advance(to: 1)
        #expect(state.progress == 1)
        state.fallBack(to: 0.01)
        _ = state.endLoad(first, with: .text("first"), at: Self.start)
        #expect(state.progress == 0.01)
        for nonsense in [Double.nan, .infinity, -1] { state.advance(to: nonsense) }
        #expect(state.progress == 0.01)
        state.advance(to: 7)
        #expect(state.progress == 1)
        _ = state.endLoad(second, with: .text("second"), at: Self.start)
        _ = state.beginLoad()
        #expect(state.progress == 0)
    }

    // MARK: Freshness

    struct Freshness: CustomTestStringConvertible {
        var dataAge: TimeInterval?
        var errorAge: TimeInterval?
        var isInvalidated = false
        let isUpToDate: Bool

        var testDescription: String {
            let (data, error) = (dataAge.map { "data \($0) s" }, errorAge.map { "error \($0) s" })
            return [data, error, isInvalidated ? "invalidated" : nil].compactMap { $0 }.joined(separator: ", ")
        }
    }

    /// Returns the freshness with an expiration time of 30 seconds and a retry time of 2 seconds.
    nonisolated static let freshness = [
        Freshness(isUpToDate: false),
        Freshness(dataAge: 0, isUpToDate: true),
        Freshness(dataAge: 30, isUpToDate: true),
        Freshness(dataAge: 30.1, isUpToDate: false),
        Freshness(dataAge: 0, isInvalidated: true, isUpToDate: false),
        Freshness(errorAge: 0, isUpToDate: true),
        Freshness(errorAge: 2, isUpToDate: true),
        Freshness(errorAge: 2.1, isUpToDate: false),
        Freshness(errorAge: 0, isInvalidated: true, isUpToDate: false),
        Freshness(dataAge: 100, errorAge: 1, isUpToDate: true),
        Freshness(dataAge: 100, errorAge: 3, isUpToDate: false),
        Freshness(dataAge: 20, errorAge: 3, isUpToDate: false),
        Freshness(dataAge: 1, errorAge: 3, isUpToDate: true),
        Freshness(dataAge: 1, errorAge: 1, isInvalidated: true, isUpToDate: false),
        Freshness(isInvalidated: true, isUpToDate: false),
    ]

    @Test(arguments: freshness)
    func `Up to date means young enough and not invalidated`(_ example: Freshness) {
        let now = Moment(wallTime: 1_000_000, monotonicTime: 10_000)
        #expect(isUpToDate(example, at: now) == example.isUpToDate)
    }

    @Test(arguments: freshness)
    func `A machine that has just started knows the age of what is older than itself`(_ example: Freshness) {
        #expect(isUpToDate(example, at: Moment(wallTime: 1_000_000, monotonicTime: 0.5)) == example.isUpToDate)
    }

    @Test(arguments: [0.001, 86_400, .infinity, .nan])
    func `Data of a cache that is dated in the future is stale`(_ ahead: TimeInterval) {
        var state = Resource.State()
        let timestamp = Self.start.wallTime + ahead
        state.setCachedData(Entity(content: "", headers: [:], timestamp: timestamp), at: Self.start)
        #expect(!isUpToDate(state, after: 0))
        state.setCachedData(Entity(content: "", headers: [:], timestamp: Self.start.wallTime), at: Self.start)
        #expect(isUpToDate(state, after: 0))
    }

    @Test(arguments: [true, false])
    func `An error, or data of the app, that is dated in the future ages from the moment it arrives`(_ isError: Bool) {
        var state = Resource.State()
        let future = Self.start.wallTime + 86_400
        if isError {
            SiestaClock.$current.withValue(clock(showing: future)) {
                _ = state.endLoad(
                    state.beginLoad(), with: ResponseInfo(response: .failure(Self.failure())), at: Self.start)
            }
        } else {
            state.overrideData(Entity(content: "", headers: [:], timestamp: future), at: Self.start)
        }
        #expect(state.timestamp == future)
        #expect(isUpToDate(state, after: 1))
        #expect(!isUpToDate(state, after: 31))
    }

    enum Change: CaseIterable {
        case newData, notModified, failure, override, cachedData, wipe
    }

    @Test(arguments: Change.allCases)
    func `Invalidation ends with any change of data or error`(_ change: Change) {
        var state = stateWithDataAndError()
        state.invalidate()
        let number = state.beginLoad()
        switch change {
        case .newData:
            _ = state.endLoad(
                number, with: ResponseInfo(response: .success(entity("", at: Self.start))), at: Self.start)
        case .notModified: _ = state.endLoad(number, with: .text("", isNew: false), at: Self.start)
        case .failure:
            SiestaClock.$current.withValue(clock(showing: Self.start.wallTime)) {
                _ = state.endLoad(number, with: ResponseInfo(response: .failure(Self.failure())), at: Self.start)
            }
        case .override: state.overrideData(entity("", at: Self.start), at: Self.start)
        case .cachedData: state.setCachedData(entity("", at: Self.start), at: Self.start)
        case .wipe:
            state.wipe(loadsUpTo: state.lastLoad)
            state.overrideData(entity("", at: Self.start), at: Self.start)
        }
        #expect(isUpToDate(state, after: 0))
    }

    @Test func `A cancelled load does not end the invalidation`() {
        var state = stateWithDataAndError()
        state.invalidate()
        _ = state.endLoad(state.beginLoad(), with: .cancellation, at: Self.start)
        #expect(!isUpToDate(state, after: 0))
    }

    @Test func `A confirmation makes the data as young as the moment, on both clocks`() {
        var state = Resource.State()
        state.setCachedData(entity("", at: Self.start), at: Self.start)
        let later = Moment(wallTime: Self.start.wallTime + 500, monotonicTime: Self.start.monotonicTime + 100)
        _ = state.endLoad(state.beginLoad(), with: .text("", isNew: false), at: later)
        #expect(state.timestamp == later.wallTime)
        #expect(isUpToDate(state, after: 130))
        #expect(!isUpToDate(state, after: 131))
    }

    @Test func `The timestamp is the later one of data and error, and 0 without either`() {
        var state = Resource.State()
        #expect(state.timestamp == 0)
        state.overrideData(Entity(content: "", headers: [:], timestamp: 5), at: Self.start)
        #expect(state.timestamp == 5)
        SiestaClock.$current.withValue(clock(showing: 7)) {
            _ = state.endLoad(state.beginLoad(), with: ResponseInfo(response: .failure(Self.failure())), at: Self.start)
        }
        #expect(state.timestamp == 7)
        state.wipe(loadsUpTo: state.lastLoad)
        #expect(state.timestamp == 0)
    }
}

// MARK: - Creating and reading states

extension ResourceStateTests {
    private func stateWithDataAndError() -> Resource.State {
        var state = Resource.State()
        state.setCachedData(entity("old", at: Self.start), at: Self.start)
        _ = state.endLoad(state.beginLoad(), with: ResponseInfo(response: .failure(Self.failure())), at: Self.start)
        return state
    }

    private func isUpToDate(_ example: Freshness, at now: Moment) -> Bool {
        var state = Resource.State()
        if let age = example.dataAge {
            state.overrideData(Entity(content: "", headers: [:], timestamp: now.wallTime - age), at: now)
        }
        if let age = example.errorAge {
            SiestaClock.$current.withValue(clock(showing: now.wallTime - age)) {
                _ = state.endLoad(state.beginLoad(), with: ResponseInfo(response: .failure(Self.failure())), at: now)
            }
        }
        if example.isInvalidated { state.invalidate() }
        return state.freshness.isUpToDate(
            at: now.monotonicTime, within: .init(expirationTime: 30, retryTime: 2))
    }

    private func isUpToDate(_ state: Resource.State, after delay: TimeInterval) -> Bool {
        state.freshness.isUpToDate(
            at: Self.start.monotonicTime + delay, within: .init(expirationTime: 30, retryTime: 30))
    }

    private nonisolated static func failure() -> RequestError {
        RequestError(userMessage: "", cause: CocoaError(.fileNoSuchFile))
    }

    private func entity(_ content: String, at moment: Moment) -> Entity<Any> {
        Entity(content: content, headers: [:], timestamp: moment.wallTime)
    }

    private func content(of state: Resource.State) -> String? { state.data?.content as? String }

    private func clock(showing time: TimeInterval) -> SiestaClock {
        SiestaClock(wallTime: { time }, monotonicTime: { 0 }, schedule: { _, _ in })
    }
}
