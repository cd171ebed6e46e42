import Foundation
import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The bookkeeping of loads, from `load()` to the news for observers, through a provider that answers at once.
///
/// Loads come in batches of as many resources, so that waking the main queue's thread, which costs more than a load, is
/// shared.
@MainActor
func loadBenchmarks() -> [Benchmark] {
    let service = makeService()
    reportProgressSeldom(service)
    let resources = (0..<loadsPerTurn).map { service.resource("/load/\($0)") }
    return [
        Benchmark("load/empty main queue hop", isReference: true, batch: loadsPerTurn) { count in
            for _ in 0..<count / loadsPerTurn {
                for _ in 0..<loadsPerTurn { DispatchQueue.main.async {} }
                await mainQueueTurn()
            }
        },
        byHand(),
        loads("load/inline stub, Data", beside: byHandName, of: resources),
        loads("load/inline stub, Data, with a credential", of: signedInResources()),
        listenedLoads(),
        Benchmark("load/inline stub, Data, one onSuccess", batch: loadsPerTurn) { count in
            for _ in 0..<count / loadsPerTurn {
                for resource in resources { resource.load().onSuccess { _ in } }
                await mainQueueTurn()
            }
            keep(service)
        },
    ]
}

/// Loads whose events a listener gets, which never reads them.
@MainActor
private func listenedLoads() -> Benchmark {
    let service = makeService()
    reportProgressSeldom(service)
    let resources = (0..<loadsPerTurn).map { service.resource("/load/\($0)") }
    return Benchmark("load/inline stub, Data, with a listener", batch: loadsPerTurn) { count in
        let activity = service.activity(limit: 1000)
        await load(resources, times: count / loadsPerTurn)
        withExtendedLifetime(activity) {}
    }
}

/// The resources of a service whose requests carry a valid credential.
@MainActor
private func signedInResources() -> [Resource] {
    struct Store: CredentialStore {
        func load() -> StoredCredential? {
            let credential = Credential("0123456789abcdef0123456789abcdef", expirationDate: .distantFuture)
            return StoredCredential(principal: "ada", credential: credential)
        }

        func save(_ stored: StoredCredential?) {}
    }

    let service = makeService()
    reportProgressSeldom(service)
    service.authenticate(with: .bearer(credentials: Store()))
    return (0..<loadsPerTurn).map { service.resource("/load/\($0)") }
}

/// Keeps the timer of progress reports out of counts, which would depend on how busy the machine is.
@MainActor
func reportProgressSeldom(_ service: Service) {
    service.configure { $0.progressReportingInterval = 3600 }
}

let loadsPerTurn = 100
let byHandName = "load/by hand: URLRequest, status, headers, hop"

/// Loads each of the resources once, again and again.
@MainActor
func loads(_ name: String, beside reference: String? = nil, of resources: [Resource]) -> Benchmark {
    let service = resources.first?.service
    return Benchmark(name, beside: reference, batch: loadsPerTurn) { count in
        await load(resources, times: count / loadsPerTurn)
        keep(service)
    }
}

/// One turn of the main queue is all that each round gets: a load that needed a second hop would not be done.
@MainActor
func load(_ resources: [Resource], times: Int) async {
    for _ in 0..<times {
        for resource in resources { resource.load() }
        await mainQueueTurn()
        let isDone = resources.allSatisfy { $0.loadRequests.isEmpty }  // Unlike isLoading, it is not tracked.
        precondition(isDone, "A load took more than one hop to the main actor.")
    }
}

/// What Foundation takes for the same, whoever asks: a request, a look at the response, one hop.
@MainActor
private func byHand() -> Benchmark {
    let network = InlineNetwork()
    let url = URL(string: "http://a.test/api/load") ?? URL(fileURLWithPath: "/")
    return Benchmark(byHandName, isReference: true, batch: loadsPerTurn) { count in
        for _ in 0..<count / loadsPerTurn {
            for _ in 0..<loadsPerTurn {
                keep(
                    network.startRequest(URLRequest(url: url)) { response, data, _ in
                        keep(response?.statusCode)
                        keep(response?.allHeaderFields)
                        DispatchQueue.main.async { keep(data) }
                    })
            }
            await mainQueueTurn()
        }
    }
}
