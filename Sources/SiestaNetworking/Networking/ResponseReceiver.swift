public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A type that receives a response piece by piece.
///
/// A provider calls the functions one at a time, in the order in which the data arrives. While a call is in progress,
/// the provider makes the server wait, if possible. If a function throws an error, the request fails with that error.
public protocol ResponseReceiver: Sendable {
    /// Receives the head of the final response, regardless of its status. This function is not called for interim
    /// responses, or for redirects that the provider follows.
    func begin(_ response: HTTPURLResponse) async throws

    /// Receives the next piece of the body, after content decoding. The piece is never empty.
    func receive(_ piece: Data) async throws
}
