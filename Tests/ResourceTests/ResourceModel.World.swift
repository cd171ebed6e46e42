import CacheTorture
import Foundation
import SiestaCore
import SiestaTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
import TestDoubles
#endif

extension ResourceModel {
    /// A real resource and its model. Performs each step on both, and finds differences.
    @MainActor
    final class World {
        struct Observer {
            /// Nil when only the resource may still reference the observer.
            var recorder: ObserverRecorder?
            var owner: NSObject?
            var hasEnded = false
        }

        let seed: UInt64
        var model: ResourceModel
        var mismatch: String?
        var eventCounts: [ResourceEvent: Int] = [:]
        private var generator: SeededGenerator
        private(set) var steps: [Step] = []
        private let clock = TestClock()
        private let network = StubNetwork()
        private let expirationTime = Setting(30)
        private var service: Service?
        private(set) var resource: Resource?
        private(set) var requests: [any Request] = []
        var outcomes: [Outcome] = []
        var observers: [Observer] = []
        private var onTheirWay: [(answer: Answer, exchange: Int)] = []

        private final class Setting {
            var value: TimeInterval

            init(_ value: TimeInterval) {
                self.value = value
            }
        }

        init(seed: UInt64) {
            self.seed = seed
            generator = SeededGenerator(seed: seed)
            model = ResourceModel(wallTime: clock.wallTime, time: clock.clock.monotonicTime)
            let network = network
            network.handler = { _ in .held }
            let service = clock.whileCurrent {
                Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
            }
            service.configure { [expirationTime] in
                $0.expirationTime = expirationTime.value
                $0.progressReportingInterval = 1_000_000
            }
            self.service = service
            resource = service.resource("/thing")
        }

        // MARK: Running

        /// Performs some steps before the next turn of the main queue.
        func runSomeSteps() {
            for _ in 0..<(1 + generator.next() % 8) where mismatch == nil {
                let step = Step.random(using: &generator, contentNumber: steps.count)
                guard let resource, isPossible(step) else { continue }
                steps.append(step)
                perform(step, on: resource)
                check()
            }
        }

        /// Passes the responses that the main queue has just delivered to the model.
        func hearAnswers() {
            for (answer, exchange) in onTheirWay { model.receive(answer, to: exchange) }
            onTheirWay = []
            if mismatch == nil { check() }
        }

        /// Ends all requests.
        func finish() {
            if seed.isMultiple(of: 2) {
                resource?.wipe()
                model.wipe()
            } else {
                for flight in model.flights { answer(flight, with: .newData(content: "last", etag: nil)) }
            }
        }

        /// Releases all objects, and returns a check that none of them leaks. Run the check one turn of the main queue
        /// later: only then observers receive the end of the resource, which is kept until then.
        func release() -> () -> Void {
            weak let weakResource = resource
            weak let weakService = service ?? resource?.service
            weak let weakRecorder = observers.first?.recorder
            weak let weakRequest: (any Request)? = requests.first
            (resource, service, requests, observers) = (nil, nil, [], [])
            return { [self] in
                expect(weakResource == nil, "the resource leaks")
                expect(weakService == nil, "the service leaks")
                expect(weakRecorder == nil, "an observer leaks")
                expect(weakRequest == nil, "a request leaks")
            }
        }

        /// The clock does not move while responses are on their way, because the model does not know their age.
        private func isPossible(_ step: Step) -> Bool {
            switch step {
            case .pass, .setWallClock: onTheirWay.isEmpty
            case .addObserver: observers.count < 4
            case .removeObserver, .dropObserver: observers.contains { !$0.hasEnded }
            case .cancel, .loadUsingRequest: !model.flights.isEmpty
            case .answer: !answerable.isEmpty
            case .dropService: service != nil
            default: true
            }
        }

        private var answerable: [Flight] {
            model.flights.filter { flight in !onTheirWay.contains { $0.exchange == flight.exchange } }
        }

        // MARK: Steps

        private func perform(_ step: Step, on resource: Resource) {
            switch step {
            case .load: follow(resource.load(), as: model.load())
            case .loadIfNeeded: loadIfNeeded(resource)
            case .request: follow(resource.request(.post), as: model.request())
            case .loadUsingRequest(let pick):
                let id = model.flights[pick % model.flights.count].id
                resource.load(using: requests[id])
                model.useAsLoad(id)
            case .answer(let pick, let answer): self.answer(answerable[pick % answerable.count], with: answer)
            case .cancel(let pick):
                let id = model.flights[pick % model.flights.count].id
                requests[id].cancel()
                model.cancel(id)
            case .cancelLoadIfUnobserved:
                resource.cancelLoadIfUnobserved()
                if observers.allSatisfy(\.hasEnded) { for load in model.loads { model.cancel(load.id) } }
            case .override, .overrideContent, .invalidate, .wipe: change(resource, step)
            case .addObserver(let isOwned): addObserver(to: resource, isOwned: isOwned)
            case .removeObserver(let pick): removeObserver(of: resource, pick)
            case .dropObserver(let pick): dropObserver(pick)
            case .changeConfiguration(let time):
                (expirationTime.value, model.expirationTime) = (time, time)
                resource.service.invalidateConfiguration()
            case .dropService: service = nil
            case .pass(let seconds):
                clock.advance(by: seconds)
                model.wallTime += seconds
                model.time += seconds
            case .setWallClock(let change):
                model.wallTime += change
                clock.setWallTime(model.wallTime)
            }
        }

        private func change(_ resource: Resource, _ step: Step) {
            let content = "local \(steps.count)"
            switch step {
            case .override(let etag, let age):
                let headers = etag.map { ["ETag": $0] } ?? [:]
                resource.overrideLocalData(
                    with: Entity(content: content, headers: headers, timestamp: clock.wallTime - age))
                model.override(content: content, etag: etag, age: age)
            case .overrideContent:
                resource.overrideLocalContent(with: content)
                model.override(content: content, etag: model.data?.etag, age: 0)
            case .invalidate:
                resource.invalidate()
                model.isInvalidated = true
            default:
                resource.wipe()
                model.wipe()
            }
        }

        private func loadIfNeeded(_ resource: Resource) {
            let load = resource.loadIfNeeded()
            if let running = model.loads.first {
                expect(load === requests[running.id], "loadIfNeeded() returns another request than the running load")
            } else if model.isUpToDate {
                expect(load == nil, "loadIfNeeded() loads what is up to date")
            } else if let load {
                follow(load, as: model.load())
            } else {
                expect(false, "loadIfNeeded() does not load what is not up to date")
            }
        }

        private func follow(_ request: any Request, as id: Int) {
            expect(id == requests.count, "requests are out of step")
            requests.append(request)
            var isCompleted = false
            let tell = { (text: String) in
                self.outcomes.append(Outcome(id: id, text: isCompleted ? text : "early: \(text)"))
            }
            request.onCompletion { _ in
                if isCompleted { tell("second completion") }
                isCompleted = true
            }
            request.onNewData { tell("new data \(Self.text($0) ?? "none")") }
            request.onNotModified { tell("not modified") }
            request.onFailure { tell(Self.kind($0).map { "failure \($0)" } ?? "cancelled") }
        }

        private func answer(_ flight: Flight, with answer: Answer) {
            let stub: StubAnswer =
                switch answer {
                case .newData(let content, let etag):
                    .response(200, headers: etag.map { ["ETag": $0] } ?? [:], body: Foundation.Data(content.utf8))
                case .notModified: .notModified
                case .failure("500"): .response(500)
                case .failure: .failure(.timedOut)
                }
            guard network.exchanges.indices.contains(flight.exchange) else { return expect(false, "nothing was sent") }
            let exchange = network.exchanges[flight.exchange]
            expect(
                exchange.request.allHTTPHeaderFields?["If-None-Match"] == flight.etag,
                "asked with \(exchange.request.allHTTPHeaderFields ?? [:]) instead of \(flight.etag ?? "none")")
            exchange.respond(with: stub)
            onTheirWay.append((answer, flight.exchange))
        }
    }
}
