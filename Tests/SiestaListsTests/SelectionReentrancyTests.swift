import Foundation
import Observation
import SiestaCore
import SiestaLists
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Code of the app that uses a selection or its resource while the selection calls it.
@MainActor @Suite(.timeLimit(.test))
struct SelectionReentrancyTests {
    /// The reaction of a comparison.
    private final class Reaction: Sendable {
        @MainActor var react: (() -> Void)?

        @MainActor init() {}
    }

    /// A part whose comparison calls code of the app once.
    private struct Part: Equatable, Sendable {
        let number: Int
        let reaction: Reaction

        static func == (left: Part, right: Part) -> Bool {
            MainActor.assumeIsolated { exchange(&left.reaction.react, with: nil)?() }
            return left.number == right.number
        }
    }

    private let stub = StubbedResource()
    private let owner = Owner()
    private var resource: Resource { stub.resource }

    @Test(.timeLimit(.test)) func `A comparison changes the resource, while an iteration receives its part`()
        async throws
    {
        let reaction = Reaction()
        resource.overrideLocalContent(with: Part(number: 1, reaction: reaction))
        let selection = resource.select { $0.content as? Part }
        var iterator = selection.values.makeAsyncIterator()
        #expect(try await iterator.next()??.number == 1)
        // The comparison at the start of the second wait changes the part.
        let resource = resource
        resource.overrideLocalContent(with: Part(number: 2, reaction: reaction))
        reaction.react = { resource.overrideLocalContent(with: Part(number: 3, reaction: reaction)) }
        #expect(try await iterator.next()??.number == 3)
        for number in 4..<8 {
            resource.overrideLocalContent(with: Part(number: number, reaction: reaction))
            #expect(try await iterator.next()??.number == number)
        }
    }

    @Test func `A closure that was removed is not called, although its owner has added another one`() {
        let selection = resource.select { $0.content as? Int }
        var calls: [String] = []
        selection.addObserver(owner: owner) { [owner] _, number in
            guard number == 1 else { return }
            selection.removeObservers(ownedBy: owner)
            selection.addObserver(owner: owner) { calls.append("new \($1 ?? 0)") }
        }
        selection.addObserver(owner: owner) { calls.append("old \($1 ?? 0)") }
        resource.overrideLocalContent(with: 1)
        resource.overrideLocalContent(with: 2)
        #expect(calls == ["old 0", "new 1", "new 2"])
    }

    @Test func `A part that wipes its resource`() {
        var isFirst = true
        let resource = resource
        let selection = resource.select { entity -> Int? in
            if exchange(&isFirst, with: false) { resource.wipe() }
            return entity.content as? Int
        }
        resource.overrideLocalContent(with: 1)
        #expect(selection.value == nil)
        #expect(!resource.state.hasData)
    }

    @Test func `The release of a closure uses the selection`() {
        let selection = resource.select { $0.content as? Int }
        let calls = Calls()
        for _ in 0..<3 {
            let guarded = Released {
                _ = selection.value
                selection.removeObservers(ownedBy: NSObject())
                calls.count += 1
            }
            selection.addObserver(owner: Owner()) { _, _ in _ = guarded }
        }
        resource.overrideLocalContent(with: 1)
        resource.overrideLocalContent(with: 2)
        #expect(calls.count == 3)
    }

    @MainActor private final class Calls {
        var count = 0
    }

    /// Calls a closure when it is released.
    private final class Released {
        let closure: @MainActor () -> Void

        init(_ closure: @escaping @MainActor () -> Void) { self.closure = closure }

        deinit {
            let closure = closure
            MainActor.assumeIsolated { closure() }
        }
    }

    @Test func `A closure does not receive a part that another closure has wiped`() {
        let selection = resource.select { $0.content as? Int }
        var seen: [Int?] = []
        selection.addObserver(owner: owner) { [resource] _, number in if number == 1 { resource.wipe() } }
        selection.addObserver(owner: owner) { seen.append($1) }
        resource.overrideLocalContent(with: 1)
        #expect(seen == [nil, nil])
    }
}
