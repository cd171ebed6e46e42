import Foundation
import Observation
import SiestaCore
import SiestaRetrying
import SiestaTesting
import SiestaUI
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor @Suite(.timeLimit(.test))
struct StatusOverlayModelTests {
    private let clock = TestClock()
    private let network = StubNetwork()
    private let service: Service
    private let model: StatusOverlayModel

    init() {
        (service, model) = clock.whileCurrent { [network] in
            (Service(baseURL: "https://api.test", networking: network), StatusOverlayModel())
        }
    }

    private func fail(_ path: String, _ error: URLError.Code = .networkConnectionLost) async {
        network.answer(.get, path, with: .failure(error))
        await service.resource(path).load().completion()
    }

    private func succeed(_ path: String) async {
        network.answer(.get, path, with: .json("{}"))
        await service.resource(path).load().completion()
    }

    @Test func `A quick load is not shown, a slow load is`() async throws {
        let resource = service.resource("/a")
        model.add(resource)
        let load = resource.load()
        #expect(model.display == .content)
        clock.advance(by: 0.29)
        #expect(model.display == .content)
        clock.advance(by: 0.02)
        #expect(model.display == StatusDisplay(cover: .loading))
        load.cancel()
        #expect(model.display.cover == .loading)
        clock.advance(by: 0.51)
        #expect(model.display == .content)
    }

    @Test func `A failure has the words of its error, and a retry loads what failed`() async throws {
        model.add(service.resource("/good"))
        model.add(service.resource("/bad"))
        await succeed("/good")
        await fail("/bad")
        #expect(model.display.cover == .failure)
        #expect(model.display.message?.heading == "Could not load")
        #expect(model.display.message?.detail == service.resource("/bad").latestError?.userMessage)
        #expect(model.display.message?.retryTitle == "Retry")
        network.answer(.get, "/bad", with: .json("{}"))
        let count = network.requests.count
        model.retry()
        _ = try await network.exchange(count)
        await service.resource("/bad").loadRequests.first?.completion()
        #expect(network.requests.count == count + 1)
        #expect(model.display == .content)
    }

    @Test func `The first resource that was added gives the error, and its removal gives way to the next`() async throws
    {
        await fail("/one", .timedOut)
        await fail("/two", .badServerResponse)
        model.add(service.resource("/two"))
        model.add(service.resource("/one"))
        #expect(model.display.message?.detail == service.resource("/two").latestError?.userMessage)
        model.remove(service.resource("/two"))
        #expect(model.display.message?.detail == service.resource("/one").latestError?.userMessage)
        model.remove(service.resource("/one"))
        #expect(model.display == .content)
        #expect(model.resources.isEmpty)
    }

    @Test func `Over data, an error is a banner if data comes first`() async throws {
        model.displayPriority = .dataFirst
        model.add(service.resource("/a"))
        await succeed("/a")
        await fail("/a", .notConnectedToInternet)
        #expect(model.display.cover == .none)
        #expect(model.display.banner?.kind == .offline)
        #expect(model.display.banner?.heading == "No network connection")
        #expect(model.display.banner?.detail == "")
        model.displayPriority = .standard
        #expect(model.display.cover == .failure)
    }

    @Test func `A manual load is shown until it completes`() async throws {
        model.displayPriority = .manualLoads
        (model.loadingDelay, model.minimumLoadingTime) = (0, 0)
        let resource = service.resource("/a")
        await succeed("/a")
        model.add(resource)
        let quiet = resource.load()
        #expect(model.display.cover == .none)
        quiet.cancel()
        let load = resource.load()
        model.trackManualLoad(load)
        model.trackManualLoad(load)
        #expect(model.display.cover == .loading)
        load.cancel()
        await load.completion()
        #expect(model.display.cover == .none)
        model.trackManualLoad(load)
        #expect(model.display.cover == .none)
    }

    @Test func `A wait for the next attempt is counted down, and a person may end it`() async throws {
        service.configure {
            $0.retry = .standard
            $0.retry.firstDelay = 8
        }
        clock.jitter = 1
        (model.loadingDelay, model.minimumLoadingTime) = (0, 0)
        let resource = service.resource("/a")
        model.add(resource)
        network.answer(.get, "/a", with: .failure(.timedOut), .json("{}"))
        var countdowns: [String] = []
        model.onChange = { [model] in countdowns.append(model.display.message?.countdown ?? "") }
        let load = resource.load()
        try await clock.waitForTimers(1)
        let first = try #require(resource.retry?.date)
        let seconds = Int((first.timeIntervalSinceReferenceDate - clock.wallTime).rounded(.up))
        #expect(model.display.cover == .loading)
        #expect(model.display.message?.heading == "Trying again")
        #expect(model.display.message?.countdown == "in \(seconds) s (1 of 3)")
        clock.advance(by: 1)
        #expect(model.display.message?.countdown == "in \(seconds - 1) s (1 of 3)")
        model.retry()
        #expect(network.requests.count == 2)
        await load.completion()
        #expect(model.display == .content)
        #expect(countdowns.contains("in \(seconds - 1) s (1 of 3)"))
    }

    @Test func `A wait for the network cannot be ended, and is offline`() async throws {
        let status = NetworkStatus(isConnected: false)
        service.networkStatus = status
        service.configure { $0.offline = .wait(upTo: 60) }
        (model.loadingDelay, model.minimumLoadingTime) = (0, 0)
        model.add(service.resource("/a"))
        network.answer(
            .get, "/a", with: .failure(.notConnectedToInternet),
            .json("{}"))
        let load = service.resource("/a").load()
        try await clock.waitForTimers(1)
        #expect(model.display.message?.kind == .offline)
        #expect(model.display.message?.heading == "Waiting for the network")
        #expect(model.display.message?.retryTitle == nil)
        model.retry()
        #expect(network.requests.count == 1)
        model.displayPriority = [.manualLoading]
        #expect(model.display == .content)  // Nothing has begun.
        model.displayPriority = .standard
        status.isConnected = true
        clock.advance(by: 2)
        await load.completion()
        #expect(model.display == .content)
    }

    @Test func `Code that changes the resources in a callback does not recurse`() async throws {
        await fail("/a")
        await fail("/b")
        var depth = (now: 0, most: 0)
        model.onChange = { [model, service] in
            depth.now += 1
            depth.most = max(depth.most, depth.now)
            model.displayPriority = model.display.cover == .failure ? [.anyData] : .standard
            model.remove(service.resource("/a"))
            model.add(service.resource("/b"))
            depth.now -= 1
        }
        model.add(service.resource("/a"))
        #expect(depth.most == 1)
        #expect(model.resources == [service.resource("/b")])
    }

    @Test func `A configurer may change a resource of the model while the model reads another one`() async throws {
        model.displayPriority = .dataFirst
        let (settings, resource) = (service.resource("/settings"), service.resource("/a"))
        model.add(settings)
        service.configure("/a") { _ in settings.overrideLocalContent(with: "x") }
        model.add(resource)
        #expect(model.resources == [settings, resource])
        await fail("/a")
        // The data of one resource, and the error of the other.
        #expect(model.display.cover == .none)
        #expect(model.display.banner?.detail == resource.latestError?.userMessage)
    }

    @Test func `Observation announces each change`() async throws {
        final class Count: @unchecked Sendable { var value = 0 }
        let count = Count()
        await fail("/a")
        withObservationTracking {
            _ = model.display
        } onChange: {
            count.value += 1
        }
        model.add(service.resource("/a"))
        #expect(count.value == 1)
    }

    @Test func `A model that is released observes nothing, and its timers do nothing`() async throws {
        let resource = service.resource("/a")
        weak var released: StatusOverlayModel?
        do {
            let model = clock.whileCurrent { StatusOverlayModel() }
            released = model
            model.add(resource)
            resource.load()
        }
        #expect(released == nil)
        clock.advance(by: 10)
    }
}

extension StatusOverlayModelTests {
    @Test func `Resources that come and go are counted`() async throws {
        let service = Service(baseURL: "https://api.test", networking: StubNetwork())
        let model = StatusOverlayModel(displayPriority: [.allData, .error])
        for number in 0..<200 {
            let resource = service.resource("/\(number)")
            resource.overrideLocalContent(with: number)
            model.add(resource)
            model.add(resource)
            if number >= 5 { model.remove(service.resource("/\(number - 5)")) }
        }
        #expect(model.resources == (195..<200).map { service.resource("/\($0)") })
        #expect(model.display == .content)
        await service.resource("/197").load().completion()
        #expect(model.display.cover == .none)
        #expect(model.display.banner != nil)  // All have data.
        model.add(service.resource("/200"))
        #expect(model.display.cover == .failure)
        model.remove(service.resource("/197"))
        #expect(model.display == .content)
    }

    @Test func `Thousands of events need one timer, and a shorter delay counts at once`() async throws {
        let (clock, network) = (TestClock(), StubNetwork())
        let (service, model) = clock.whileCurrent {
            (Service(baseURL: "https://api.test", networking: network), StatusOverlayModel())
        }
        for number in 0..<1000 {
            model.add(service.resource("/\(number)"))
            service.resource("/\(number)").load()
        }
        #expect(clock.timers.count == 1)
        #expect(model.display == .content)
        model.loadingDelay = 0
        #expect(model.display.cover == .loading)
        clock.advance(by: 1)
        #expect(clock.timers.isEmpty)
    }

    @Test func `A retry counts as a manual load`() async throws {
        let network = StubNetwork()
        let service = Service(baseURL: "https://api.test", networking: network)
        let model = StatusOverlayModel(displayPriority: [.manualLoading, .error])
        (model.loadingDelay, model.minimumLoadingTime) = (0, 0)
        model.add(service.resource("/a"))
        await service.resource("/a").load().completion()
        #expect(model.display.cover == .failure)
        network.answer(.get, "/a", with: .json("{}"))
        model.retry()
        #expect(model.display.cover == .loading)
        await service.resource("/a").loadRequests.first?.completion()
        #expect(model.display == .content)
    }

    @Test func `A view is told only of changes`() async throws {
        let network = StubNetwork()
        let service = Service(baseURL: "https://api.test", networking: network)
        let model = StatusOverlayModel()
        var displays: [StatusDisplay] = []
        model.onChange = { displays.append(model.display) }
        (model.loadingDelay, model.minimumLoadingTime) = (0, 0)
        model.add(service.resource("/a"))
        model.add(service.resource("/b"))
        network.answer(.get, "/a", with: .json("{}"))
        await service.resource("/a").load().completion()
        service.resource("/a").overrideLocalContent(with: 1)
        #expect(displays == [StatusDisplay(cover: .loading), .content])
        model.words.failed = "Oh"
        model.displayPriority = [.error]
        #expect(displays.count == 2)
        await service.resource("/b").load().completion()
        model.words.failed = "No"
        #expect(displays.dropFirst(2).map(\.message?.heading) == ["Oh", "No"])
        model.onChange = nil
    }

    @Test func `Words may remove resources while a message is made`() async throws {
        let (model, service) = (model, service)
        for number in 0..<40 { model.add(service.resource("/\(number)")) }
        model.add(service.resource("/bad"))
        network.answer(.get, "/bad", with: .response(503, headers: ["Retry-After": "30"]))
        model.words.countdown = { seconds, _, _ in
            MainActor.assumeIsolated {
                for number in 0..<40 { model.remove(service.resource("/\(number)")) }
                model.add(service.resource("/new"))
            }
            return "in \(seconds) s"
        }
        await service.resource("/bad").load().completion()
        #expect(model.resources.count == 2)
        #expect(model.display.message?.countdown == "in 30 s")
        clock.advance(by: 1.5)
        #expect(model.display.message?.countdown == "in 29 s")
    }
}
