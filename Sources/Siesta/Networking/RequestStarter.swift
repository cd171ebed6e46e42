import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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

    /// Starts a request. A provider of the app ignores the extras.
    func start(
        _ request: URLRequest, extras: RequestExtras? = nil,
        answering completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        if let extras, let provider = headProvider as? any ExtrasProvider {
            return provider.startRequest(request, extras: extras, answering: completion)
        }
        return headProvider?.startRequest(request, answering: completion)
            ?? provider.startRequest(request, answering: completion)
    }
}
