public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A type that receives a response piece by piece.
///
/// A provider makes one call at a time, in order. During a call the server has to wait, as far as the provider can
/// achieve that. If a call throws, the request ends with that error.
public protocol ResponseReceiver: Sendable {
    /// Receives the head of the response, with any status. Interim responses, and redirects that are followed, are not
    /// passed on.
    func begin(_ response: HTTPURLResponse) async throws

    /// Receives the next piece of the decoded body, which is never empty.
    func receive(_ piece: Data) async throws
}
