import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The result of one request of a networking provider.
struct ProviderAnswer: Sendable {
    /// The head of the response; nil if there was no response.
    let head: Head?
    let body: Data?
    let error: (any Error)?

    /// The parts of a response's head that the library uses.
    struct Head: Sendable {
        let status: Int
        let fields: HeaderFields
    }
}

/// A provider of this module that need not make an `HTTPURLResponse`, which takes a fifth of a request's time.
protocol HeadProvider: NetworkingProvider {
    /// Does the same as ``NetworkingProvider/startRequest(_:completion:)``, but reports a ``ProviderAnswer``.
    @MainActor func startRequest(
        _ request: URLRequest, answering completion: @escaping @Sendable (ProviderAnswer) -> Void
    ) -> any RequestNetworking
}

/// Starts the requests of one provider in the cheapest way that the provider supports.
@MainActor
struct RequestStarter {
    let provider: any NetworkingProvider
    private let headProvider: (any HeadProvider)?  // cached, since casting to a protocol takes time
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
        if let headProvider { return headProvider.startRequest(request, answering: completion) }
        return provider.startRequest(request) { response, body, error in
            let head = response.map { ProviderAnswer.Head(status: $0.statusCode, fields: HeaderFields($0)) }
            completion(ProviderAnswer(head: head, body: body, error: error))
        }
    }
}
