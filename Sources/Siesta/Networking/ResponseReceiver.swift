public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Takes a response piece by piece.
///
/// A provider makes one call at a time, in order. While a call takes its time the server has to wait, as far as the
/// provider can make it; throwing ends the request with that error.
public protocol ResponseReceiver: Sendable {
    /// The response begins, whatever its status. Redirects that are followed, and interim responses, are not shown.
    func begin(_ response: HTTPURLResponse) async throws

    /// The next piece of the decoded body; never empty.
    func receive(_ piece: Data) async throws
}
