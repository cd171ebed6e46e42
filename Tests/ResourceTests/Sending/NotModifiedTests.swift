import TestKit
import Testing
@testable import SiestaCore

/// The meaning of a 304, without a server.
@Suite(.timeLimit(.test))
struct NotModifiedTests {
    private static let one = Validator(field: { ["etag": "1"][$0] })
    private static let two = Validator(field: { ["etag": "2"][$0] })

    private static let serverSources: [Resource.DataSource] = [.network, .revalidated, .cache]

    @Test(arguments: serverSources)
    func `Without validators, only the server's last response to a load is confirmed`(_ source: Resource.DataSource) {
        #expect(NotModified(source: source).step == (source == .cache ? .keep : .confirm))
        #expect(NotModified(source: source, isLoad: false).step == .keep)
        #expect(NotModified(source: source, isUnchanged: false).step == .keep)
    }

    @Test(arguments: serverSources)
    func `Data of the server is confirmed if the validators agree`(_ source: Resource.DataSource) {
        #expect(NotModified(source: source, current: Self.one, asked: Self.one).step == .confirm)
        #expect(NotModified(source: source, current: Self.one, asked: Self.one, isUnchanged: false).step == .confirm)
        #expect(NotModified(source: source, current: Self.one, asked: Self.one, isSuperseded: true).step == .confirm)
    }

    @Test(arguments: serverSources)
    func `Another version is asked for again`(_ source: Resource.DataSource) {
        #expect(NotModified(source: source, current: Self.two, asked: Self.one).step == .askAgain)
        #expect(NotModified(source: source, current: Self.two).step == .askAgain)
        #expect(NotModified(source: source, asked: Self.one).step == .askAgain)
    }

    @Test(arguments: serverSources)
    func `Another version stays as it is if it is newer, or the request is no load`(_ source: Resource.DataSource) {
        #expect(NotModified(source: source, current: Self.two, asked: Self.one, isSuperseded: true).step == .keep)
        #expect(NotModified(source: source, current: Self.two, asked: Self.one, isLoad: false).step == .keep)
    }

    @Test(arguments: [true, false], [true, false])
    func `Local content is never confirmed`(isLoad: Bool, isSuperseded: Bool) {
        for asked in [Self.one, nil] {
            let meaning = NotModified(
                source: .local, current: Self.one, asked: asked, isLoad: isLoad, isSuperseded: isSuperseded)
            #expect(meaning.step == .askAgain)
        }
    }

    @Test func `Without data a condition is a reason to ask again, and without a condition there is none`() {
        #expect(NotModified(asked: Self.one).step == .askAgain)
        #expect(NotModified().step == .fail)
    }

    @Test(arguments: [true, false])
    func `Nothing is asked a third time, and nothing but GET and HEAD a second time`(_ isSecond: Bool) {
        for source in Self.serverSources {
            let meaning = NotModified(
                source: source, current: Self.two, asked: Self.one, isSecond: isSecond, isSafe: isSecond)
            #expect(meaning.step == .fail)
        }
        for source in [Resource.DataSource.local, nil] {
            let meaning = NotModified(source: source, asked: Self.one, isSecond: isSecond, isSafe: isSecond)
            #expect(meaning.step == .fail)
        }
    }

    @Test func `A second 304, to a request without a condition, confirms nothing`() {
        #expect(NotModified(source: .network, isSecond: true).step == .fail)
    }
}
