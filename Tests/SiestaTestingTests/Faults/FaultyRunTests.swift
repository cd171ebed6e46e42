import Foundation
import SiestaCore
import SiestaRetrying
import SiestaTesting
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Whole runs of a small service on a faulty network.
@MainActor @Suite(.timeLimit(.model))
struct FaultyRunTests {
    /// A small app: three users who change on the server, a list, and a log of everything that the app is told.
    @MainActor
    private final class App {
        let clock = TestClock()
        let network: FaultyNetwork
        let service: Service
        private(set) var events: [String] = []
        private var version = 0
        private let start: TimeInterval

        init(seed: UInt64) {
            let stub = StubNetwork()
            let network = FaultyNetwork(stub, seed: seed, rates: .severe)
            self.network = network
            let clock = clock
            start = clock.wallTime
            service = clock.whileCurrent { Service(baseURL: "http://faults.test", networking: network) }
            service.configure {
                $0.retry = .standard
                $0.expirationTime = 5
            }
            stub.handler = { [unowned self] request in
                version += 1
                return .json("{\"path\": \"\(request.url?.path ?? "")\", \"version\": \(version)}")
            }
            for path in paths { observe(service.resource(path)) }
        }

        private let paths = ["/users/1", "/users/2", "/users/3", "/list"]

        private func observe(_ resource: Resource) {
            resource.addObserver(owner: self) { [unowned self] resource, event in
                let time = ((clock.wallTime - start) * 1000).rounded()
                let data = resource.jsonDict["version"] ?? "-"
                let error = resource.latestError?.userMessage ?? "-"
                events.append("\(time) \(resource.url.path) \(event) \(data) \(error) \(resource.isLoading)")
            }
        }

        /// The paths whose data belongs to another path.
        var wrongScreens: [String] {
            paths.filter { path in
                let shown = service.resource(path).jsonDict["path"] as? String
                return shown != nil && shown != path
            }
        }

        func run(script seed: UInt64) async throws {
            var generator = SplitMix64(seed: seed)
            for _ in 0..<8 {
                let resource = service.resource(paths[Int(generator.next() % 4)])
                switch generator.next() % 6 {
                case 0: resource.load()
                case 1: resource.request(.put, json: ["x": 1]).onSuccess { _ in resource.load() }
                case 2: resource.invalidate()
                case 3: resource.allRequests.first?.cancel()
                default: resource.loadIfNeeded()
                }
                try await service.settled()
                if generator.next() % 2 == 0 {
                    try await clock.advance(by: generator.nextFraction() * 2, settling: service)
                }
            }
            try await clock.advanceUntilSettled(service)
        }
    }

    @Test(arguments: 0..<10)
    func `No run hangs, no screen is wrong, and the same seed gives the same events`(
        _ part: Int
    ) async throws {
        let count = TestLevel.count(2, nightly: 20, soak: 100)
        var lines = 0
        for seed in TestSeed.cases(10 * count).dropFirst(part * count).prefix(count) {
            var runs: [[String]] = []
            for _ in 0..<2 {
                let app = App(seed: seed)
                try await app.run(script: seed)
                #expect(app.wrongScreens.isEmpty, "seed \(seed)")
                #expect(app.service.resource("/list").allRequests.isEmpty, "seed \(seed)")
                runs.append(app.network.log + app.events)
            }
            #expect(runs[0] == runs[1], "seed \(seed)")
            lines += runs[0].count
        }
        #expect(lines > 4 * count)
    }
}
