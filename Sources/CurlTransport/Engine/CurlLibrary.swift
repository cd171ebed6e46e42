#if os(Linux)
import CCurl
import Glibc

/// The libcurl that is installed.
enum CurlLibrary {
    /// What the library is called on the distributions: with OpenSSL, and with GnuTLS.
    static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]

    /// The first version that speaks HTTP/2 without TLS on a connection that is used again.
    static let firstWithPriorKnowledge: UInt32 = 0x080000

    /// The first version that asks before it sends a request over a connection.
    ///
    /// With an older one, nobody can tell whether bytes have arrived on a connection before it is used again, nor
    /// prevent that a request is sent twice: connections are not kept there.
    static let firstWithPrerequest: UInt32 = 0x075000

    /// The first version that does not use a connection again on which bytes have arrived.
    static let firstWithLivenessCheck: UInt32 = 0x080000

    /// The first version that takes long heads over HTTP/2; older ones stand still, or give up the connection.
    static let firstWithLongHTTP2Heads: UInt32 = 0x080000

    /// Whether the version that is open asks before it sends.
    static var asksBeforeSending: Bool { ccurl_version_number() >= firstWithPrerequest }

    /// The most bytes of a head that the version that is open takes over HTTP/2.
    static var http2HeadBytes: Int { ccurl_version_number() >= firstWithLongHTTP2Heads ? .max : 60 << 10 }

    /// Opens the library, unless it is open; throws what a user can do about it.
    static func load(_ names: [String] = names) throws(TransportError) {
        let pointers = names.map { UnsafePointer(strdup($0)) }
        defer { pointers.forEach { free(UnsafeMutablePointer(mutating: $0)) } }
        switch ccurl_load(pointers, pointers.count) {
        case CCURL_LOADED:
            return
        case CCURL_TOO_OLD:
            throw TransportError(.unsupported, "libcurl 7.62 or later is needed")
        case CCURL_UNUSABLE:
            throw TransportError(.unsupported, "libcurl could not be initialised")
        default:
            throw TransportError(.unsupported, "None of \(names.joined(separator: ", ")) is installed")
        }
    }
}
#endif
