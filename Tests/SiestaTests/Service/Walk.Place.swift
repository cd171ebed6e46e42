import Foundation
import Observation
import SiestaCaches
import SiestaCore
import SiestaLists
import SiestaTesting
import TestDoubles
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Walk {
    /// A place where the library runs code of the app, and the way to reach it.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let lead: @MainActor @Sendable (Walk) async -> Void

        init(_ name: String, _ lead: @escaping @MainActor @Sendable (Walk) async -> Void) {
            testDescription = name
            self.lead = lead
        }
    }
}

extension Walk.Place {
    static let all = configuration + requests + observers + releases

    // MARK: Closures and methods

    private static let configuration = [
        Walk.Place("test of a URL") { walk in
            walk.service.configure(whenURLMatches: { _ in
                walk.visit()
                return true
            }) { $0.expirationTime = 1 }
            _ = walk.target.configuration
        },
        Walk.Place("configurer") { walk in
            walk.service.configure { _ in walk.visit() }
            _ = walk.target.configuration
            _ = walk.service.caches
            await walk.kept.load().completion()
        },
        Walk.Place("pattern") { walk in
            walk.service.configure(VisitingPattern(walk)) { $0.expirationTime = 1 }
            walk.service.wipeResources(matching: VisitingPattern(walk))
            _ = walk.target.configuration
        },
        Walk.Place("test of a resource to wipe") { walk in
            walk.target.overrideLocalContent(with: "x")
            walk.service.wipeResources { (_: Resource) in
                walk.visit()
                return true
            }
        },
        Walk.Place("change of a request") { walk in
            walk.service.configure { $0.mutateRequests { _ in walk.visit() } }
            await walk.target.load().completion()
            await walk.target.request(.put) { _ in walk.visit() }.completion()
        },
        Walk.Place("decorator") { walk in
            walk.service.configure {
                $0.decorateRequests { _, request in
                    walk.visit()
                    return request.chained { _ in
                        walk.visit()
                        return .useThisResponse
                    }
                }
            }
            await walk.target.load().completion()
        },
        Walk.Place("key of a cache") { walk in
            let cache = VisitingCache(walk)
            walk.service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
            _ = walk.target.latestData
            await walk.target.loadIfNeeded()?.completion()
            walk.target.overrideLocalContent(with: "x")
            walk.target.wipe(includingCaches: true)
        },
        Walk.Place("clock") { walk in
            let clock = SiestaClock(
                wallTime: {
                    MainActor.assumeIsolated { walk.visit() }
                    return 800_000_000
                },
                monotonicTime: {
                    MainActor.assumeIsolated { walk.visit() }
                    return 1000
                },
                schedule: { _, action in Task { @MainActor in action() } })
            let service = SiestaClock.$current.withValue(clock) {
                Service(baseURL: "https://clock.test", standardTransformers: [], networking: walk.network)
            }
            service.resource("/x").overrideLocalContent(with: "x")
            _ = service.resource("/x").isUpToDate
            service.resource("/y").load(using: Resource.prepareRequest(using: VisitingWork(walk)))
        },
    ]

    private static let requests = [
        Walk.Place("hooks") { walk in
            let load = walk.target.load()
            load.onProgress { _ in walk.visit() }.onSuccess { _ in walk.visit() }.onNewData { _ in walk.visit() }
            load.onFailure { _ in walk.visit() }.onNotModified { walk.visit() }
            await load.onCompletion { _ in walk.visit() }.completion()
            load.onCompletion { _ in walk.visit() }.onProgress { _ in walk.visit() }
            await mainQueueTurn()
        },
        Walk.Place("delegate of a request") { walk in
            for ends in [true, false] {
                let request = walk.clock.whileCurrent { Resource.prepareRequest(using: VisitingWork(walk, ends: ends)) }
                walk.target.load(using: request.onProgress { _ in walk.visit() })
                walk.clock.advance(by: 1)
                _ = (request.progress, "\(request)", request.repeated())
                request.cancel()
            }
        },
        Walk.Place("several delegates whose progress is watched") { walk in
            let requests = (0..<4).map { _ in
                walk.clock.whileCurrent { Resource.prepareRequest(using: VisitingWork(walk, ends: false)) }
            }
            for request in requests { walk.target.load(using: request.onProgress { _ in walk.visit() }) }
            for _ in 0..<3 { walk.clock.advance(by: 0.01) }
            for request in requests { request.cancel() }
        },
        Walk.Place("networking provider") { walk in
            let service = walk.clock.whileCurrent {
                Service(baseURL: "https://provider.test", networking: VisitingProvider(walk))
            }
            let load = service.resource("/x").load().onProgress { _ in }
            walk.clock.advance(by: 1)
            _ = load.progress
            load.cancel()
            await service.resource("/y").load().completion()
        },
        Walk.Place("answer by the stub network") { walk in
            walk.network.handler = { _ in
                walk.visit()
                return .response(304)
            }
            await walk.target.load().completion()
        },
        Walk.Place("delayed cancellation") { walk in
            walk.target.cancelLoadIfUnobserved(afterDelay: 1) { walk.visit() }
            walk.clock.advance(by: 2)
        },
    ]

    private static let observers = [
        Walk.Place("observer") { walk in
            let listener = Listener()
            listener.action = { _, _ in walk.visit() }
            listener.onStopped = { _ in walk.visit() }
            walk.target.addObserver(listener).addObserver(listener, owner: walk.owner)
            await walk.target.load().completion()
            walk.target.removeObservers(ownedBy: walk.owner)
            walk.target.removeObservers(ownedBy: listener)
            walk.target.addObserver(listener, owner: Owner())
            await mainQueueTurn()
            walk.target.addObserver(listener, owner: Owner())
            walk.target.addObserver(listener)
            walk.service.flushUnusedResources()
        },
        Walk.Place("observer's identity") { walk in
            for owner in [walk.owner, Owner()] {
                walk.target.addObserver(VisitingIdentity.Value(walk), owner: owner)
                walk.target.addObserver(VisitingIdentity.Value(walk), owner: owner)
                walk.target.addObserver(VisitingIdentity.Object(walk))
                walk.target.addObserver(VisitingIdentity.Object(walk), owner: owner)
                walk.target.overrideLocalContent(with: "x")
                walk.target.removeObservers(ownedBy: owner)
            }
        },
        Walk.Place("tracking of a property") { walk in
            for _ in 0..<3 {
                withObservationTracking {
                    let target = walk.target
                    _ = (target.latestData, target.latestError, target.timestamp)
                    _ = (target.isLoading, target.isRequesting, target.isUpToDate)
                } onChange: {
                    MainActor.assumeIsolated { walk.visit() }
                }
                walk.target.overrideLocalContent(with: "x")
            }
            await walk.target.load().completion()
            walk.target.wipe()
        },
    ]

    // MARK: Deinitialisers

    private static let releases = [
        Walk.Place("capture of an observer whose owner is dead, when unused resources are dropped") { walk in
            observeForDead(walk)
            walk.service.flushUnusedResources()
            observeForDead(walk)
            walk.service.cachedResourceCountLimit = 0
            observeForDead(walk)
            _ = walk.service.resource("/one/more")
        },
        Walk.Place("capture of an observer whose owner is dead, at an event") { walk in
            observeForDead(walk)
            walk.target.overrideLocalContent(with: "x")
            observeForDead(walk)
            walk.target.invalidate()
            observeForDead(walk)
            await walk.target.load().completion()
        },
        Walk.Place("capture of an observer that is removed") { walk in
            for _ in 0..<2 {
                let farewell = walk.farewell()
                walk.target.addObserver(owner: walk.owner) { _, _ in _ = farewell }
            }
            walk.target.removeObservers(ownedBy: walk.owner)
        },
        Walk.Place("observer that is its own owner beside a dead one") { walk in
            for _ in 0..<2 {
                let listener = Listener()
                let farewell = walk.farewell()
                listener.action = { _, _ in _ = farewell }
                walk.target.addObserver(listener).addObserver(listener, owner: Owner())
            }
            walk.target.overrideLocalContent(with: "x")
            walk.service.flushUnusedResources()
        },
        Walk.Place("observer that removes itself when it goes") { walk in
            for owner in [walk.owner, Owner()] {
                let target = walk.target
                target.addObserver(SelfRemovingListener(target, walk)).addObserver(
                    SelfRemovingListener(target, walk), owner: owner)
                let both = SelfRemovingListener(target, walk)
                target.addObserver(both).addObserver(both, owner: owner)
            }
            walk.target.overrideLocalContent(with: "x")
            walk.target.removeObservers(ownedBy: walk.owner)
            walk.service.flushUnusedResources()
        },
        Walk.Place("observer with an identity of its own beside a dead owner") { walk in
            for number in 0..<2 {
                let listener = FarewellListener(number, walk)
                walk.target.addObserver(listener).addObserver(listener, owner: Owner())
            }
            walk.target.overrideLocalContent(with: "x")
            walk.service.flushUnusedResources()
        },
        Walk.Place("observer's identity, released") { walk in
            walk.target.addObserver(
                IdentifiedListener(identity: HashableFarewell(walk), log: EventLog()), owner: Owner())
            walk.target.overrideLocalContent(with: "x")
            walk.target.addObserver(
                IdentifiedListener(identity: HashableFarewell(walk), log: EventLog()), owner: walk.owner)
            walk.target.removeObservers(ownedBy: walk.owner)
        },
        Walk.Place("content that is replaced") { walk in
            for _ in 0..<3 { walk.target.overrideLocalContent(with: walk.farewell()) }
            await walk.target.load().completion()
            walk.target.overrideLocalContent(with: walk.farewell())
            walk.target.wipe()
        },
        Walk.Place("content of a resource that is dropped") { walk in
            walk.target.overrideLocalContent(with: walk.farewell())
            walk.service.flushUnusedResources()
            walk.service.resource("/second").overrideLocalContent(with: walk.farewell())
            walk.service.cachedResourceCountLimit = 0
        },
        Walk.Place("cause of an error that is replaced") { walk in
            walk.network.handler = { _ in .failure(FarewellError(farewell: walk.farewell())) }
            await walk.target.load().completion()
            await walk.target.load().completion()
            walk.network.handler = { _ in .text("x") }
            await walk.target.load().completion()
        },
        Walk.Place("capture of a hook") { walk in
            let load = walk.target.load()
            for hook in [walk.farewell(), walk.farewell()] {
                load.onCompletion { _ in _ = hook }.onProgress { _ in _ = hook }
            }
            await load.completion()
            let second = walk.target.load()
            do {
                let hook = walk.farewell()
                second.onCompletion { _ in _ = hook }
            }
            second.cancel()
        },
        Walk.Place("capture of what is configured") { walk in
            for _ in 0..<2 {
                walk.service.configure { configuration in
                    let farewell = walk.farewell()
                    configuration.mutateRequests { _ in _ = farewell }
                    configuration.decorateRequests { _, request in
                        _ = farewell
                        return request
                    }
                    configuration.pipeline[.cleanup].add(FarewellTransformer(farewell: walk.farewell()))
                }
                await walk.target.load().completion()
                walk.service.configure("/brief") { $0.expirationTime = 2 }
                _ = walk.service.resource("/brief").configuration
                walk.service.flushUnusedResources()
                walk.service.invalidateConfiguration()
                _ = (walk.target.configuration, walk.target.configuration(for: .post))
                walk.service.configure("/target") { $0.expirationTime = 3 }
                _ = walk.target.configuration(for: .post)
            }
        },
        Walk.Place("configuration of a running request, the last to hold it") { walk in
            walk.network.handler = nil
            walk.network.answer(.get, "/target", with: .response(304), .text("x"))
            walk.service.configure { configuration in
                let farewell = walk.farewell()
                configuration.mutateRequests { _ in _ = farewell }
            }
            walk.target.overrideLocalData(
                with: Entity(content: "x", charset: nil, headers: ["ETag": "\"1\""]))
            let load = walk.target.load().onProgress { _ in }
            walk.service.invalidateConfiguration()
            _ = walk.target.configuration
            walk.target.overrideLocalContent(with: "mine")
            await load.completion()
        },
        Walk.Place("delegate of a request, released") { walk in
            for ends in [true, false] {
                do {
                    let request = Resource.prepareRequest(using: VisitingWork(walk, ends: ends, walk.farewell()))
                    walk.target.load(using: request.chained { _ in .useThisResponse })
                }
                for request in walk.target.loadRequests { request.cancel() }
            }
        },
        Walk.Place("networking of a request, released") { walk in
            let service = Service(baseURL: "https://provider.test", networking: VisitingProvider(walk, visits: false))
            let load = service.resource("/x").load()
            load.cancel()
            await service.resource("/y").load().completion()
        },
        Walk.Place("capture of a configurer, when the service goes") { walk in
            do {
                let farewell = walk.farewell()
                Service(baseURL: "https://short.test").configure { _ in _ = farewell }
            }
            let observed = walk.farewell()
            walk.target.addObserver(owner: walk.owner) { _, _ in _ = observed }
            walk.target.overrideLocalContent(with: walk.farewell())
            walk.holder = nil
        },
    ]

    /// Adds observers whose owner is released at once. They hold an object that visits the library when it is released.
    @MainActor
    private static func observeForDead(_ walk: Walk) {
        for _ in 0..<2 {
            let farewell = walk.farewell()
            walk.target.addObserver(owner: Owner()) { _, _ in _ = farewell }
        }
    }
}
