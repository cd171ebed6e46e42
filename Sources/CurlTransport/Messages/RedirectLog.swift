#if os(Linux) || os(Android)
import Foundation
import HTTPRules

/// The heads of the redirects that an exchange has followed, within a limit of memory.
struct RedirectLog: Sendable {
    private(set) var heads: [ResponseHead] = []
    private var size = 0
    private var isFull = false

    /// Adds the head of a redirect, unless the limit is exceeded. Then it drops this head and all later heads.
    mutating func append(_ head: ResponseHead) {
        size += head.size
        isFull = isFull || size > Self.limit
        if !isFull { heads.append(head) }
    }

    /// The maximum size of all heads, in bytes.
    static let limit = 256 << 10
}

extension ResponseHead {
    /// The approximate size in memory, in bytes: at least 1 KB, because each list of fields reserves room.
    fileprivate var size: Int {
        1024 + url.absoluteString.utf8.count + headers.fields.bytes.count
            + headers.fields.ends.count * MemoryLayout<HeaderBytes.Ends>.stride
    }
}
#endif
