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

    /// Scripts one response to the resource's loads, and loads.
    @discardableResult
    func load(_ answer: StubAnswer) async -> ResponseInfo {
        network.answer(.get, "/thing", with: answer)
        return await resource.load().completion()
    }

    /// The last request that reached the network.
    var lastRequest: URLRequest {
        get throws { try #require(network.requests.last) }
    }

    /// Returns the exchange that reached the network at this position.
    func exchange(_ index: Int) throws -> StubExchange {
        try #require(network.exchanges.indices.contains(index) ? network.exchanges[index] : nil)
    }
}

extension ResponseInfo {
    /// The text of the response, if it is a success with text.
    var text: String? {
        guard case .success(let entity) = response else { return nil }
        return entity.content as? String
    }

    /// The error of a failure; nil for a success.
    var failure: RequestError? {
        guard case .failure(let error) = response else { return nil }
        return error
    }
}
