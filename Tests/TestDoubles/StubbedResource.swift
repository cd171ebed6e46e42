import Foundation
package import SiestaCore
package import SiestaTesting
import Testing

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// A resource of a service with a stub network and a clock that a test moves.
@MainActor
package struct StubbedResource {
    package let clock = TestClock()
    package let network = StubNetwork()
    package let service: Service
    package let resource: Resource

    package init(standardTransformers: [StandardTransformer] = [.json, .text]) {
        let network = network
        service = clock.whileCurrent {
            Service(baseURL: "https://api.test", standardTransformers: standardTransformers, networking: network)
        }
        resource = service.resource("/thing")
    }

    /// Scripts one response to the resource's loads, and loads.
    @discardableResult
    package func load(_ answer: StubAnswer) async -> ResponseInfo {
        network.answer(.get, "/thing", with: answer)
        return await resource.load().completion()
    }

    /// The last request that reached the network.
    package var lastRequest: URLRequest {
        get throws { try #require(network.requests.last) }
    }

    /// Returns the exchange that reached the network at this position.
    package func exchange(_ index: Int) throws -> StubExchange {
        try #require(network.exchanges.indices.contains(index) ? network.exchanges[index] : nil)
    }
}

extension ResponseInfo {
    /// The text of the response, if it is a success with text.
    package var text: String? {
        guard case .success(let entity) = response else { return nil }
        return entity.content as? String
    }

    /// The error of a failure; nil for a success.
    package var failure: RequestError? {
        guard case .failure(let error) = response else { return nil }
        return error
    }
}

extension StubbedResource {
    /// Returns how often another task of the main actor runs between the first and the last of `count` elements, which the
    /// server sends at once as `text`.
    package func turns<Elements: AsyncSequence>(
        during elements: @escaping (Resource) -> Elements, count: Int, sending text: String
    ) async throws -> Int {
        network.answer(.get, "/thing", with: .stream())
        var (turns, turnsAtFirst, isOver) = (0, 0, false)
        let loop = Task {
            var received = 0
            for try await _ in elements(resource) {
                if received == 0 { turnsAtFirst = turns }
                received += 1
                if received == count { break }
            }
            isOver = true
            return turns - turnsAtFirst
        }
        let exchange = try await network.exchange(1)
        let other = Task {
            while !isOver {
                turns += 1
                await Task.yield()
            }
        }
        exchange.send(text)
        let result = try await loop.value
        await other.value
        return result
    }
}
