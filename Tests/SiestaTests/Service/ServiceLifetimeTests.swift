import Foundation
import Siesta
import SiestaTesting
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
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

    @Test("A running request keeps its service until its hooks have run, and no longer")
    func runningRequest() async {
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

    @Test("A cancelled request lets its service go")
    func cancelledRequest() {
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
}
