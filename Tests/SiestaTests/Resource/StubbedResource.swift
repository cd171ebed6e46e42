import Foundation
import Siesta
import SiestaTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A resource of a service with a stub network and a clock that a test moves.
@MainActor
struct StubbedResource {
    let clock = TestClock()
    let network = StubNetwork()
    let service: Service
    let resource: Resource

    init(standardTransformers: [StandardTransformer] = [.json, .text]) {
        let network = network
        service = clock.whileCurrent {
            Service(baseURL: "https://api.test", standardTransformers: standardTransformers, networking: network)
        }
        resource = service.resource("/thing")
    }

    /// Scripts one answer to the resource's loads, and loads.
    @discardableResult
    func load(_ answer: StubAnswer) async -> ResponseInfo {
        network.answer(.get, "/thing", with: answer)
        return await resource.load().completion()
    }

    /// The last request that reached the network.
    var lastRequest: URLRequest {
        get throws { try #require(network.requests.last) }
    }

    /// The exchange that reached the network as the `index`th.
    func exchange(_ index: Int) throws -> StubExchange {
        try #require(network.exchanges.indices.contains(index) ? network.exchanges[index] : nil)
    }
}

extension ResponseInfo {
    /// The text that the response brought, if it is a success with text.
    var text: String? {
        guard case .success(let entity) = response else { return nil }
        return entity.content as? String
    }

    /// The error, if the response is a failure.
    var failure: RequestError? {
        guard case .failure(let error) = response else { return nil }
        return error
    }
}
