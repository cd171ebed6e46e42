import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The credential of a request whose response is not kept in memory: its waits, and the refusals of the server.
@MainActor
final class TransferAuthorization {
    private let resource: Resource
    /// True if the request was made by the refresh of a credential. Then it carries none.
    private let isOfRefresh = Session.isRefreshing
    /// The principal for whom the request was made; nil if nobody was signed in.
    private let maker: Principal?
    private var refusals = Refusals()
    /// The credential of the last request, and the facts about it; nil if the request carried none.
    private var last: (number: Int32, use: CredentialUse)?
    /// The number of the credential that the server has refused; nil if the request was not sent again.
    private var refused: Int32?

    init(_ resource: Resource) {
        (self.resource, maker) = (resource, resource.context.principal)
    }

    private var authentication: Authentication? { isOfRefresh ? nil : resource.context.authentication }

    /// True if the request may have to wait for a credential.
    var isNeeded: Bool { authentication != nil }

    /// Returns the principal to whom the response belongs; nil if it belongs to nobody.
    func principal(of request: PreparedRequest) -> String? {
        guard let authentication, authentication.covers(request), resource.isPersonal else { return nil }
        return authentication.session.currentPrincipal
    }

    /// A request with its credential, as it is sent.
    struct Authorized {
        let request: URLRequest
        let extras: RequestExtras?
    }

    /// Adds the credential of the session to a request. Waits for it if necessary. A write that another user has made fails
    /// as cancelled.
    ///
    /// - Parameter urlRequest: `request` as it is sent, without the credential.
    func authorized(
        _ request: PreparedRequest, as urlRequest: URLRequest
    ) async throws(RequestError) -> Authorized {
        let authorized = try await withCredential(request, urlRequest)
        if WriteOutcome.isWrite(request.method), resource.context.isFormer(maker) { throw .cancelled() }
        return authorized
    }

    private func withCredential(
        _ request: PreparedRequest, _ urlRequest: URLRequest
    ) async throws(RequestError) -> Authorized {
        last = nil
        let refused = refused.take()
        guard let authentication, authentication.covers(request) else {
            return Authorized(request: urlRequest, extras: nil)
        }
        let permission = await withCheckedContinuation { continuation in
            authentication.session.authorize(self, after: refused, over: resource.context.authenticationNetwork) {
                continuation.resume(returning: $0)
            }
        }
        switch permission {
        case .fail(let error) where error.cause is SessionExpired && refused == nil && !resource.isPersonal:
            return Authorized(request: urlRequest, extras: nil)
        case .fail(let error): throw request.error(error)
        case .send(let use):
            guard let use else { return Authorized(request: urlRequest, extras: nil) }
            var authorized = urlRequest
            let extras = authentication.apply(use, to: &authorized)
            last = (use.number, authentication.use(in: authorized))
            return Authorized(request: authorized, extras: extras)
        }
    }

    /// Returns true if a response means that the server has refused the credential, and the request must be authorized
    /// again.
    func isRepeated(after response: NetworkResponse?) -> Bool {
        guard let last, let session = authentication?.session, let response, last.use.isRefused(by: response)
        else { return false }
        let isCurrent = session.isCurrent(last.number)
        guard refusals.allowsRepetition(isCurrent: isCurrent) else { return false }
        refusals.note(isCurrent: isCurrent)
        refused = last.number
        return true
    }

    /// Ends the wait for a credential: the request fails as cancelled.
    func cancel() {
        authentication?.session.cancelWait(of: self)
    }
}
