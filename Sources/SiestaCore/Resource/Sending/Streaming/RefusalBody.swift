package import Foundation

/// The body of an error response. Keeps only the beginning of the body, so that a server cannot fill the memory.
package struct RefusalBody: Sendable {
    package private(set) var content = Data()

    package init() {}

    /// The maximum number of bytes that are kept: 1 MB.
    package static let limit = 1 << 20

    /// The error if the rest of the body is not needed. The transfer is ended, because it might never end by itself.
    package struct Overflow: Error {}

    /// Returns true if an error means that the body cannot be decoded, so that only the head of the response is usable.
    package static func isUndecodable(_ error: any Error) -> Bool {
        let code = (error as? URLError)?.code
        return code == .cannotDecodeContentData || code == .cannotDecodeRawData || code == .dataLengthExceedsMaximum
    }

    /// Removes the body.
    package mutating func drop() { content = Data() }

    /// Appends a piece of the body. Throws ``Overflow`` if the body is longer than the limit.
    package mutating func append(_ piece: Data) throws {
        let room = Self.limit - content.count
        content += piece.prefix(room)
        if piece.count > room { throw Overflow() }
    }
}
