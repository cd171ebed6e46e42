import SiestaCore
import SiestaTesting
import TestKit
import Testing

/// Leaks of observers and resources.
@MainActor @Suite(.timeLimit(.test))
struct LeakCheckTests {
    private final class Screen: ResourceObserver {
        var cycle: Screen?
        func resourceChanged(_ resource: Resource, event: ResourceEvent) {}
    }

    private let stub = StubNetwork()
    private let service: Service

    init() {
        service = Service(baseURL: "http://leaks.test", networking: stub)
        stub.handler = { _ in .json("{}") }
    }

    @Test func `A screen that is released leaves nothing`() async throws {
        let kept = Screen()
        service.resource("/kept").addObserver(kept)
        let leaks = await LeakCheck.run(service) {
            let screen = Screen()
            service.resource("/x").addObserver(screen)
            service.resource("/y").addObserver(owner: screen) { _, _ in }
            await service.resource("/x").load().completion()
            service.resource("/y").load()
        }
        #expect(leaks.isEmpty)
        #expect(leaks.description == "no leaks")
        #expect(leaks.unfinishedWork.isEmpty)
    }

    @Test func `An observer in a reference cycle is found, with its type, its address and its resource`() async throws {
        weak var leaked: Screen?
        let leaks = await LeakCheck.run(service) {
            let screen = Screen()
            screen.cycle = screen
            leaked = screen
            service.resource("/x").addObserver(screen)
            service.resource("/y").withParam("token", "secret").addObserver(owner: screen) { _, _ in }
        }
        let screen = try #require(leaked)
        let address = UInt(bitPattern: Unmanaged.passUnretained(screen).toOpaque())
        let observers = leaks.leakedObservers
        #expect(observers.map(\.type) == ["Screen", observers[1].type])
        #expect(observers[1].type.contains("LeakCheckTests.swift:"))
        #expect(observers[0].object?.address == address)
        #expect(observers[0].owners.isEmpty)
        #expect(observers[1].object == nil)
        #expect(observers[1].owners.map(\.address) == [address])
        #expect(leaks.observers == observers.map(\.description))
        #expect(leaks.resources.isEmpty)
        let text = leaks.description
        #expect(
            text.hasPrefix("Screen (0x\(String(address, radix: 16))) observes http://leaks.test/x\nclosure observer ("))
        #expect(!text.contains("secret"))
        screen.cycle = nil
    }

    @Test func `A resource that is still referenced, or still loading, is found`() async throws {
        var references: [Resource] = []
        stub.handler = { _ in .held }
        let leaks = await LeakCheck.run(service) {
            references.append(service.resource("/kept"))
            _ = service.resource("/gone")
            service.resource("/slow").load()
        }
        #expect(leaks.resources == ["http://leaks.test/kept", "http://leaks.test/slow"])
        #expect(leaks.unfinishedWork == ["GET http://leaks.test/slow runs"])
        #expect(leaks.description.contains("http://leaks.test/kept is still in use"))
        withExtendedLifetime(references) {}
    }

    @Test func `The text of a leak names the remedy, and errors of the code are rethrown`() async throws {
        var screens: [Screen] = []
        let leaks = await LeakCheck.run(service) {
            let screen = Screen()
            service.resource("/x").addObserver(screen)
            screens.append(screen)
        }
        #expect(leaks.observers.count == 1)
        #expect(leaks.description.contains("removeObservers(ownedBy:)"))
        await #expect(throws: CancellationError.self) {
            try await LeakCheck.run(service) { throw CancellationError() }
        }
        screens = []
    }

    @Test func `A closure is found although an equal one was there before`() async throws {
        let owner = Screen()
        func observe() { service.resource("/x").addObserver(owner: owner) { _, _ in } }
        observe()
        let leaks = await LeakCheck.run(service) { observe() }
        #expect(leaks.observers.count == 1)
        #expect(await LeakCheck.run(service) {}.isEmpty)
    }
}
