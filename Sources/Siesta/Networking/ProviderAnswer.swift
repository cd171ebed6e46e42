import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a networking provider has got for one request.
struct ProviderAnswer: Sendable {
    /// What came before the body; nil if there was no response.
    let head: Head?
    let body: Data?
    let error: (any Error)?

    /// The part of a response's head that anything here asks for.
    struct Head: Sendable {
        let status: Int
        let fields: HeaderFields
    }
}

/// A provider of this module whose answers need no `HTTPURLResponse`: making one takes a fifth of a request's time.
protocol HeadProvider: NetworkingProvider {
    /// Does what ``NetworkingProvider/startRequest(_:completion:)`` does, but for the form of the answer.
    @MainActor func startRequest(
        _ request: URLRequest, answering completion: @escaping @Sendable (ProviderAnswer) -> Void
    ) -> any RequestNetworking
}

/// Starts the requests of one provider, in the cheapest way that it has.
@MainActor
struct RequestStarter {
    let provider: any NetworkingProvider
    private let headProvider: (any HeadProvider)?  // found once: asking a value for its protocols takes time
    /// What the provider adds to requests, if it does and says so.
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
