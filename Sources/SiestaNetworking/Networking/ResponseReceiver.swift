public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A type that receives a response in pieces.
///
/// A provider makes one call at a time, in order. While a call is in progress, the provider makes the server wait, if
/// possible. If a call throws an error, the request ends with that error.
public protocol ResponseReceiver: Sendable {
    /// Receives the head of the response, with any status. The receiver does not receive interim responses, or
    /// redirects that are followed.
    func begin(_ response: HTTPURLResponse) async throws

    /// Receives the next piece of the decoded body, which is never empty.
    func receive(_ piece: Data) async throws
}
