import Siesta
import SiestaTesting
import Testing

@testable import GitHubBrowser

@Suite("What a screen knows of its data", .timeLimit(.minutes(30)))
@MainActor
struct ResourceMonitorTests {
    private let clock = TestClock()
    private let fixture: Fixture
    private let monitor: ResourceMonitor

    init() throws {
        fixture = try clock.whileCurrent { try Fixture() }
        monitor = ResourceMonitor(clock: clock.clock)
    }

    private var repository: Resource { fixture.api.repository(Fixture.id).resource }

    @Test("is loading first, and then from the network")
    func network() async throws {
        fixture.network.answer(.get, "/repos/ada/engine", with: .held)
        monitor.watch([repository])
        #expect(monitor.status.isLoading)
        #expect(monitor.status.age == nil)
        clock.advance(by: 2)
        #expect(monitor.status.loadingTime == 2)
        let request = try #require(repository.loadIfNeeded())
        fixture.network.lastExchange?.respond(with: .json(Fixture.repository("engine")))
        await request.completion()
        clock.advance(by: 5)
        #expect(monitor.status.answers == [.network: 1])
        #expect(monitor.status.duration == 2)
        #expect(monitor.status.age == 5)
    }

    @Test("is from memory while fresh, and confirmed by the server when stale")
    func memoryAndConfirmation() async {
        fixture.network.answer(
            .get, "/repos/ada/engine", with: .json(Fixture.repository("engine"), headers: ["ETag": "\"1\""]),
            .notModified)
        await repository.load().completion()
        monitor.watch([repository])
        #expect(monitor.status.answers == [.memory: 1])
        monitor.watch([])
        clock.advance(by: 3_600)
        monitor.watch([repository])
        await repository.loadIfNeeded()?.completion()
        #expect(monitor.status.answers == [.notModified: 1])
        #expect(monitor.status.age == 0)
    }

    @Test("keeps the age of the data when a load fails")
    func failure() async {
        fixture.network.answer(
            .get, "/repos/ada/engine", with: .json(Fixture.repository("engine")), .json("{}", status: 500))
        monitor.watch([repository])
        await repository.loadIfNeeded()?.completion()
        clock.advance(by: 60)
        await repository.load().completion()
        #expect(monitor.status.failure == LoadStatus.Failure(message: "Internal server error", statusCode: 500))
        #expect(monitor.status.age == 60)
    }

    @Test("hears no more of what it does not watch")
    func stops() async {
        fixture.network.answer(.get, "/repos/ada/engine", with: .json(Fixture.repository("engine")))
        var events: [ResourceEvent] = []
        monitor.onEvent = { events.append($1) }
        monitor.watch([repository])
        await repository.loadIfNeeded()?.completion()
        monitor.watch([])
        await repository.load().completion()
        #expect(events == [.observerAdded, .requested, .newData(.network)])
    }
}
