import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The result of one request of a networking provider.
struct ProviderAnswer: Sendable {
    /// The head of the response; nil if there was no response.
    var head: Head?
    var body: Data?
    var error: (any Error)?

    /// The parts of a response's head that the library uses.
    struct Head: Sendable {
        let status: Int
        let fields: HeaderFields
    }
}

extension ProviderAnswer {
    /// Converts the arguments of a ``RequestNetworkingCompletionCallback``.
    init(_ response: HTTPURLResponse?, _ body: Data?, _ error: (any Error)?) {
        self.init(head: response.map { Head($0) }, body: body, error: error)
    }
}

extension ProviderAnswer.Head {
    init(_ response: HTTPURLResponse) {
        self.init(status: response.statusCode, fields: HeaderFields(response))
    }
}

/// A provider of this module that does not need to make an `HTTPURLResponse`, which takes a fifth of a request's time.
protocol HeadProvider: NetworkingProvider {
    /// Does the same as ``NetworkingProvider/startRequest(_:completion:)``, but passes a ``ProviderAnswer`` to the
    /// completion.
    @MainActor func startRequest(
        _ request: URLRequest, answering completion: @escaping @Sendable (ProviderAnswer) -> Void
    ) -> any RequestNetworking
}

extension NetworkingProvider {
    /// Starts a request as ``startRequest(_:completion:)`` does, and converts its result.
    @MainActor func startRequest(
        _ request: URLRequest, answering completion: @escaping @Sendable (ProviderAnswer) -> Void
    ) -> any RequestNetworking {
        startRequest(request) { completion(ProviderAnswer($0, $1, $2)) }
    }
}

/// Starts the requests of one provider through the fastest function that the provider supports.
@MainActor
struct RequestStarter {
    let provider: any NetworkingProvider
    private let headProvider: (any HeadProvider)?  // cached, because casting to a protocol takes time
    /// The header fields that the provider adds to requests, if it declares them.
    let addedFields: AddedFields?

    init(_ provider: any NetworkingProvider) {
        self.provider = provider
        headProvider = provider as? any HeadProvider
        addedFields = (provider as? any FieldAddingProvider)?.addedFields
    }

    func start(
        _ request: URLRequest, answering completion: @escaping @Sendable (ProviderAnswer) -> Void
    ) -> any RequestNetworking {
        headProvider?.startRequest(request, answering: completion)
            ?? provider.startRequest(request, answering: completion)
    }
}
