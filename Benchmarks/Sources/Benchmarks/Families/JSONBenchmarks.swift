import Foundation
import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// JSON as services read and write it, beside Foundation, on one thread.
@MainActor
func jsonBenchmarks() -> [Benchmark] {
    let (small, medium, large) = (RepositoryList.object(), RepositoryList.json(4), RepositoryList.json(200))
    let snakeCase = JSONDecoder()
    snakeCase.keyDecodingStrategy = .convertFromSnakeCase
    return [("one object of 1 KB", small), ("list of 17 KB", medium), ("list of 0.9 MB", large)].flatMap {
        tree($0.0, $0.1)
    }
        + decode("struct of 1 KB", small, Repository.self)
        + decode("structs, 17 KB", medium, [Repository].self)
        + decode("structs, 0.9 MB", large, [Repository].self)
        + decode("structs, snake case, 0.9 MB", large, [ConvertedRepository].self, snakeCase)
        + decode("a failure, 1 KB", small, MisreadRepository.self)
        + decode("a failure in the first object, 17 KB", medium, [MisreadRepository].self)
        + decode("a failure in the last object, 17 KB", medium.dropLast() + Data(",{}]".utf8), [Repository].self)
        + decode("a text cut off, 17 KB", medium.dropLast(), [Repository].self)
        + encode("structs, 17 KB", medium)
        + encode("structs, 0.9 MB", large)
        + write("tree, 17 KB", medium)
        + write("tree, 0.9 MB", large)
}

@MainActor
private func tree(_ name: String, _ data: Data) -> [Benchmark] {
    let transformer = JSONResponseTransformer()
    let response = Response.success(Entity<Any>(content: data, contentType: "application/json"))
    return pair("tree", name) {
        keep(try? JSONSerialization.jsonObject(with: data))
    } library: {
        keep(transformer.process(response))
    }
}

/// A response keeps its body, and decodes it off the main actor.
@MainActor
private func decode<Value: Decodable>(
    _ name: String, _ data: Data, _ type: Value.Type, _ decoder: JSONDecoder = JSONDecoder()
) -> [Benchmark] {
    let response = KeptResponse(data)
    let bare = Benchmark("json/decode, Foundation, \(name)", isReference: true, counted: nil) { count in
        for _ in 0..<count { keep(try? decoder.decode(type, from: data)) }
    }
    let own = Benchmark("json/decode, \(name)", beside: bare.name, counted: nil) { count in
        guard let response = try? await response.value else { return }
        for _ in 0..<count { keep(try? await response.decoded(as: type, decoder: decoder)) }
    }
    return [bare, own]
}

/// A response to a request, which is made once.
@MainActor
private final class KeptResponse {
    private let resource: Resource
    private var known: FinishedResponse?

    init(_ body: Data) { resource = makeService(InlineNetwork(body: body)).resource("/bytes") }

    var value: FinishedResponse {
        get async throws {
            if let known { return known }
            let response = try await resource.request(.post).value
            known = response
            return response
        }
    }
}

/// A request is started with each body, and cancelled.
@MainActor
private func encode(_ name: String, _ data: Data) -> [Benchmark] {
    let resource = silentResource()
    let values = (try? JSONDecoder().decode([Repository].self, from: data)) ?? []
    let encoder = JSONEncoder()
    return pair("encode", name) {
        keep(try? encoder.encode(values))
    } library: {
        resource.request(.post, body: .encoded(values, encoder: encoder)).cancel()
    }
}

@MainActor
private func write(_ name: String, _ data: Data) -> [Benchmark] {
    let resource = silentResource()
    let value = ((try? JSONSerialization.jsonObject(with: data)) as? [Any]) ?? []
    return pair("write", name) {
        keep(try? JSONSerialization.data(withJSONObject: value))
    } library: {
        resource.request(.post, json: value).cancel()
    }
}

/// A resource whose requests are never answered.
@MainActor
private func silentResource() -> Resource {
    Service(baseURL: "http://a.test/api", networking: SilentNetwork()).resource("/bytes")
}

private struct SilentNetwork: NetworkingProvider {
    private struct Handle: RequestNetworking {
        let transferMetrics = RequestTransferMetrics(
            requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)

        func cancel() {}
    }

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking { Handle() }
}

@MainActor
private func pair(
    _ kind: String, _ name: String, foundation: @escaping @MainActor () -> Void,
    library: @escaping @MainActor () -> Void
) -> [Benchmark] {
    let bare = Benchmark("json/\(kind), Foundation, \(name)", isReference: true, counted: nil) { count in
        for _ in 0..<count { foundation() }
    }
    let own = Benchmark("json/\(kind), \(name)", beside: bare.name, counted: nil) { count in
        for _ in 0..<count { library() }
    }
    return [bare, own]
}
