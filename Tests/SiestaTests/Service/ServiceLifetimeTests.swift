import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@MainActor @Suite(.timeLimit(.test))
struct ServiceLifetimeTests {
    private final class API: Service {
        var token = "secret"
        private(set) var seen: [String] = []

        init(_ network: StubNetwork) {
            super.init(baseURL: "http://a.test", networking: network)
            configure { [unowned self] configuration in
                configuration.decorateRequests { [unowned self] _, request in
                    request.chained { [unowned self] _ in
                        seen.append(token)
                        return .useThisResponse
                    }
                }
            }
        }
    }

    @Test func `A running request keeps its service until its hooks have run, and no longer`() async {
        let network = StubNetwork()
        network.answer(.get, "/x", with: .held)
        weak var api: API?
        var request: (any Request)?
        do {
            let service = API(network)
            api = service
            request = service.resource("/x").load()
        }
        #expect(api != nil)
        var seenInHook: [String]?
        request?.onCompletion { _ in seenInHook = api?.seen }
        network.lastExchange?.respond(with: .text("hello"))
        await request?.completion()
        #expect(seenInHook == ["secret"])
        request = nil
        await mainQueueTurn()
        #expect(api == nil)
    }

    @Test func `A cancelled request lets its service go`() {
        let network = StubNetwork()
        network.answer(.get, "/x", with: .held)
        weak var api: API?
        do {
            let service = API(network)
            api = service
            service.resource("/x").load().cancel()
        }
        #expect(api == nil)
    }

    @Test
    func `A load that waits for a cache keeps its service from the start until its hooks have run, and no longer`()
        async
    {
        let network = StubNetwork()
        network.answer(.get, "/x", with: .text("hello"))
        let cache = InMemoryCache()
        let endRead = cache.holdReads()
        weak var api: API?
        var request: (any Request)?
        do {
            let service = API(network)
            api = service
            service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
            request = service.resource("/x").loadIfNeeded()
            service.invalidateConfiguration()
        }
        #expect(network.requests.isEmpty)
        #expect(api != nil)
        var seenInHook: [String]?
        request?.onCompletion { _ in seenInHook = api?.seen }
        endRead()
        await request?.completion()
        #expect(seenInHook == ["secret"])
        request = nil
        await mainQueueTurn()
        #expect(api == nil)
    }

    @Test
    func `A load that waits for a cache lets its service go when it is cancelled, or when the cache has what it takes`()
        async
    {
        for isCancelled in [true, false] {
            let cache = InMemoryCache()
            cache.entities = ["http://a.test/x": Entity(content: "cached", contentType: "text/plain")]
            let endRead = cache.holdReads()
            weak var api: API?
            do {
                let service = API(StubNetwork())
                api = service
                service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
                let load = service.resource("/x").loadIfNeeded()
                if isCancelled { load?.cancel() } else { endRead() }
                await load?.completion()
            }
            await mainQueueTurn()
            if isCancelled { endRead() }
            #expect(api == nil)
        }
    }

    @Test
    func `A load whose work is not the library's keeps its service, too, and so does a decorated request`() async {
        let network = StubNetwork()
        network.answer(.get, "/x", with: .text("hello"))
        for isDecorated in [true, false] {
            weak var api: API?
            let work = ManualOperation()
            do {
                let service = API(network)
                api = service
                let custom = Resource.prepareRequest(using: work)
                if isDecorated {
                    service.configure { $0.decorateRequests { _, request in request.chained { _ in .passTo(custom) } } }
                    await service.resource("/x").request(.get).passedOn(to: work)
                } else {
                    service.resource("/x").load(using: custom)
                }
            }
            #expect(api != nil)
            work.complete(with: .text("done"))
            await mainQueueTurn()
            #expect(api == nil)
        }
    }
}

extension Request {
    /// Waits until `work` is started.
    fileprivate func passedOn(to work: ManualOperation) async {
        while work.handler == nil { await mainQueueTurn() }
    }
}
