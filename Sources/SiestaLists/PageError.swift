public import Foundation
public import SiestaCore

/// The failure of one page of a ``PagedResource``. The other pages keep their items.
public struct PageError: LocalizedError, Sendable {
    /// The page that failed.
    public let page: Resource

    /// The error of the page.
    public let error: RequestError

    /// The ``RequestError/userMessage`` of ``error``.
    public var errorDescription: String? { error.userMessage }
}

extension PageError: CustomStringConvertible {
    /// The page and the error. The text contains no secrets of the URL.
    public var description: String { "\(page): \(error)" }
}
