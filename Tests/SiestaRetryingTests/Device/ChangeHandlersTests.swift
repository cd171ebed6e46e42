import Foundation

import TestDoubles
import TestKit
import Testing

import SiestaRetrying
@testable import SiestaCore
@testable import SiestaNetworking

@MainActor @Suite(.timeLimit(.test))
struct ChangeHandlersTests {
    @MainActor private final class Owner {
        var others: [Owner] = []
    }

    /// Runs code of the app when it is released.
    private final class Releasing: Sendable {
        let action: @Sendable () -> Void

        init(_ action: @escaping @Sendable () -> Void) { self.action = action }

        deinit { action() }
    }

    @MainActor private final class Journal {
        var entries: [String] = []
    }

    private let handlers = ChangeHandlers()
    private let journal = Journal()

    @Test func `Handlers are called in the order in which they were added`() {
        let owner = Owner()
        for number in 0..<3 { handlers.add(owner: owner) { [journal] in journal.entries.append("\(number)") } }
        handlers.call()
        handlers.call()
        #expect(journal.entries == ["0", "1", "2", "0", "1", "2"])
    }

    @Test func `The handler of a released owner is released, and not called`() {
        var owner: Owner? = Owner()
        let token = Owner()
        weak let weakOwner = owner
        handlers.add(owner: token) {}
        if let owner { handlers.add(owner: owner) { [journal] in journal.entries.append("called") } }
        owner = nil
        #expect(weakOwner == nil)
        handlers.call()
        #expect(journal.entries == [])
        #expect(handlers.count == 1)
    }

    @Test func `Handlers of released owners do not accumulate`() {
        let kept = Owner()
        handlers.add(owner: kept) { [journal] in journal.entries.append("kept") }
        for _ in 0..<1000 { handlers.add(owner: Owner()) {} }
        #expect(handlers.count <= 17)
        handlers.call()
        #expect(journal.entries == ["kept"])
    }

    @Test func `A handler that is added during a call is called at the next change`() {
        let owner = Owner()
        handlers.add(owner: owner) { [handlers, journal] in
            for _ in 0..<100 { handlers.add(owner: owner) { journal.entries.append("added") } }
        }
        handlers.call()
        #expect(journal.entries == [])
        handlers.call()
        #expect(journal.entries.count == 100)
    }

    @Test func `A handler can release the owner of a later handler, and its own`() {
        let first = Owner()
        first.others = [Owner(), Owner()]
        handlers.add(owner: first.others[0]) { [journal] in
            journal.entries.append("first")
            first.others = []
        }
        handlers.add(owner: first.others[1]) { [journal] in journal.entries.append("second") }
        handlers.call()
        #expect(journal.entries == ["first"])
        #expect(handlers.count == 0)
    }

    @Test func `A handler can cause another change`() {
        let (owner, status) = (Owner(), NetworkStatus())
        status.onChange(owner: owner) { [journal] in
            journal.entries.append("a \(status.isConnected)")
            if !status.isConnected { status.isConnected = true }
        }
        status.onChange(owner: owner) { [journal] in journal.entries.append("b \(status.isConnected)") }
        status.isConnected = false
        #expect(journal.entries == ["a false", "a true", "b true", "b true"])
    }

    @Test func `The release of a handler can add handlers`() {
        let (owner, more) = (Owner(), Owner())
        for _ in 0..<40 {
            let releasing = Releasing { [handlers, journal] in
                MainActor.assumeIsolated {
                    handlers.add(owner: more) { journal.entries.append("added") }
                }
            }
            handlers.add(owner: Owner()) { withExtendedLifetime(releasing) {} }
        }
        handlers.add(owner: owner) { [journal] in journal.entries.append("kept") }
        handlers.call()
        handlers.call()
        #expect(journal.entries.count { $0 == "kept" } == 2)
        #expect(handlers.count == 41)
    }
}
