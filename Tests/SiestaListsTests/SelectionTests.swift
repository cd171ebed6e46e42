import Foundation
import Isolation
import Observation
import SiestaCore
import SiestaLists
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Parts of the content of a resource.
@MainActor @Suite(.timeLimit(.test))
struct SelectionTests {
    private struct User: Sendable {
        var name: String
        var nick: String?
        var age = 0
    }

    /// A count that closures of a test change.
    private final class Count {
        var value = 0
    }

    private let stub = StubbedResource()
    private let owner = Owner()
    private var user: TypedResource<User> { TypedResource(stub.resource) }

    @Test func `The value is the part of the content, and nil without content`() {
        let name = user.select(\.name)
        #expect(name.value == nil)
        user.content = User(name: "Ada")
        #expect(name.value == "Ada")
        #expect(user.select(\.nick).value == nil)
        #expect(user.select { $0.name.count }.value == 3)
        stub.resource.overrideLocalContent(with: 7)
        #expect(name.value == nil)
    }

    @Test func `A selection of an untyped resource sees the headers`() async {
        let total = stub.resource.select { $0.header(forKey: "X-Total").flatMap(Int.init) }
        await stub.load(.text("[]", headers: ["X-Total": "17"]))
        #expect(total.value == 17)
    }

    @Test func `A closure receives the part at once, and then only if it has changed`() {
        user.content = User(name: "Ada")
        var names: [String?] = []
        user.select(\.name).addObserver(owner: owner) { names.append($1) }
        user.content?.age = 1
        user.content?.name = "Bob"
        user.content?.age = 2
        user.wipe()
        #expect(names == ["Ada", "Bob", nil])
    }

    @Test func `A closure is released soon after its owner, without an event`() async {
        weak var held: Owner?
        do {
            let (owner, object) = (Owner(), Owner())
            held = object
            user.select(\.name).addObserver(owner: owner) { _, _ in withExtendedLifetime(object) {} }
        }
        stub.clock.advance(by: 1)
        await mainQueueTurn()
        #expect(held == nil)
    }

    @Test func `The part is evaluated once for each change, however many observers it has`() async {
        let count = Count()
        let name = user.select { user in
            count.value += 1
            return user.name
        }
        for _ in 0..<10 { name.addObserver(owner: owner) { _, _ in } }
        user.content = User(name: "Ada")
        for _ in 0..<10 { _ = name.value }
        #expect(count.value == 1)
        user.content?.age = 1
        user.content?.age = 2
        #expect(count.value == 3)
        await stub.load(.response(500))
        user.invalidate()
        #expect(count.value == 3)
    }

    @Test func `A confirmation by the server does not evaluate a part of the content`() async {
        let (count, dates) = (Count(), Count())
        let length = stub.resource.typed(as: String.self).select { text in
            count.value += 1
            return text.count
        }
        let date = stub.resource.select { entity in
            dates.value += 1
            return entity.timestamp
        }
        await stub.load(.text("hello", headers: ["ETag": "\"1\""]))
        stub.clock.advance(by: 10)
        await stub.load(.notModified)
        #expect(length.value == 5)
        #expect(count.value == 1)
        #expect(date.value == stub.clock.wallTime)
        #expect(dates.value == 2)
    }

    // MARK: Observation

    @Test func `Observation reports a change of the part, and of nothing else`() {
        user.content = User(name: "Ada")
        let name = user.select(\.name)
        let changes = Locked(0)
        withObservationTracking {
            _ = name.value
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        user.content?.age = 1
        user.invalidate()
        #expect(changes.withLock { $0 } == 0)
        user.content?.name = "Bob"
        #expect(changes.withLock { $0 } == 1)
    }

    @Test func `Tracking code reads the old part before the change, and the new one after it`() {
        user.content = User(name: "Ada")
        let name = user.select(\.name)
        let seen = Locked<[String?]>([])
        withObservationTracking {
            _ = name.value
        } onChange: {
            MainActor.assumeIsolated { seen.withLock { $0.append(name.value) } }
        }
        user.content?.name = "Bob"
        #expect(seen.withLock { $0 } == ["Ada"])
        #expect(name.value == "Bob")
    }

    // MARK: Sequences

    @Test func `A loop receives the part now, and after each change`() async throws {
        let name = user.select(\.name)
        var names = name.values.makeAsyncIterator()
        #expect(try await names.next() == .some(nil))
        user.content = User(name: "Ada")
        #expect(try await names.next() == "Ada")
        user.content?.age = 1
        user.content?.name = "Bob"
        #expect(try await names.next() == "Bob")
    }

    @Test func `A busy loop receives only the newest part, and no part twice`() async throws {
        user.content = User(name: "Ada")
        let name = user.select(\.name)
        var names = name.values.makeAsyncIterator()
        #expect(try await names.next() == "Ada")
        user.content?.name = "Bob"
        user.content?.name = "Ada"
        let waiting = Task { await names.next(isolation: #isolation) }
        await mainQueueTurn()
        user.content?.name = "Eve"
        #expect(await waiting.value == "Eve")
    }

    @Test func `A loop off the main actor ends when its task is cancelled`() async {
        let values = user.select(\.name).values
        let task = Task.detached {
            var count = 0
            for await _ in values { count += 1 }
            return count
        }
        await mainQueueTurn()
        task.cancel()
        #expect(await task.value <= 1)
    }

    // MARK: Lifetime

    @Test func `An observer keeps the selection and the resource until its owner is released`() {
        var owner: Owner? = Owner()
        var names: [String?] = []
        weak var resource: Resource?
        do {
            let user = stub.service.resource("/users/1", as: User.self)
            resource = user.resource
            user.select(\.name).addObserver(owner: owner ?? Owner()) { names.append($1) }
        }
        stub.service.flushUnusedResources()
        #expect(resource != nil)
        resource?.overrideLocalContent(with: User(name: "Ada"))
        owner = nil
        resource?.overrideLocalContent(with: User(name: "Bob"))
        #expect(names == [nil, "Ada"])
        stub.service.flushUnusedResources()
        #expect(resource == nil)
        #expect(owner == nil)
    }

    @Test func `A selection keeps its resource, and stops observing when it is released`() {
        weak var resource: Resource?
        do {
            let name = stub.service.resource("/users/1", as: User.self).select(\.name)
            resource = name.resource
            stub.service.flushUnusedResources()
            #expect(resource != nil)
            withExtendedLifetime(name) {}
        }
        stub.service.flushUnusedResources()
        #expect(resource == nil)
    }

    @Test func `Removed closures are not called again`() {
        let name = user.select(\.name)
        var names: [String?] = []
        name.addObserver(owner: owner) { names.append($1) }
        name.removeObservers(ownedBy: owner)
        user.content = User(name: "Ada")
        #expect(names == [nil])
    }

    // MARK: Reentrancy

    @Test func `A closure may change the data, and every observer receives each part in order`() {
        let name = user.select(\.name)
        var (first, second): ([String?], [String?]) = ([], [])
        name.addObserver(owner: owner) { [user] in
            first.append($1)
            if $1 == "Ada" { user.content = User(name: "Bob") }
        }
        name.addObserver(owner: owner) { second.append($1) }
        user.content = User(name: "Ada")
        #expect(first == [nil, "Ada", "Bob"])
        #expect(second == [nil, "Ada", "Bob"])
    }

    @Test func `An observer that is added during a delivery receives only later parts`() {
        let name = user.select(\.name)
        var late: [String?] = []
        var isAdded = false
        name.addObserver(owner: owner) { [owner] _, _ in
            guard name.value != nil, !exchange(&isAdded, with: true) else { return }
            name.addObserver(owner: owner) { late.append($1) }
        }
        user.content = User(name: "Ada")
        #expect(late == ["Ada"])
    }

    @Test func `An observer that is added after a change during a delivery receives the new part once`() {
        let name = user.select(\.name)
        var late: [String?] = []
        name.addObserver(owner: owner) { [user, owner] in
            guard $1 == "Ada" else { return }
            user.content = User(name: "Bob")
            name.addObserver(owner: owner) { late.append($1) }
        }
        user.content = User(name: "Ada")
        #expect(late == ["Bob"])
    }

    @Test func `An observer that is removed during a delivery is not called again`() {
        let (name, other) = (user.select(\.name), Owner())
        var names: [String?] = []
        name.addObserver(owner: owner) { if $1 != nil { name.removeObservers(ownedBy: other) } }
        name.addObserver(owner: other) { names.append($1) }
        user.content = User(name: "Ada")
        #expect(names == [nil])
    }

    @Test func `A part whose evaluation changes the data several times is evaluated until it is current`() {
        user.content = User(name: "Ada")
        let age = user.select { [user] content in
            if content.age < 9 { user.content?.age += 1 }
            return content.age
        }
        var ages: [Int?] = []
        age.addObserver(owner: owner) { ages.append($1) }
        #expect(ages == [9])
    }

    @Test func `The evaluation of a part may change the data`() {
        let name = user.select { [user] content in
            if content.name == "Ada" { user.content = User(name: "Bob") }
            return content.name
        }
        user.content = User(name: "Ada")
        #expect(name.value == "Bob")
    }

    @Test func `An observer of the resource that runs first reads the new part`() {
        let seen = Listener()
        var names: [String?] = []
        stub.resource.addObserver(seen)
        let name = user.select(\.name)
        seen.action = { _, _ in names.append(name.value) }
        user.content = User(name: "Ada")
        #expect(names == ["Ada"])
    }

    @Test func `Selected texts with many combining marks are compared in linear time`() {
        let growth = Growth(of: 1_000) { count in
            ["\u{301}\u{323}", "\u{323}\u{301}"].map { "a" + String(repeating: $0, count: count) + "b" }
        } _: { texts in
            let text = TypedResource<String>(StubbedResource().resource)
            let selection = text.select { $0 }
            for content in texts {
                text.content = content
                #expect(selection.value?.utf8.count == content.utf8.count)
            }
        }
        #expect(growth.isBounded, "\(growth)")
    }
}
