#if os(Linux) || os(Android)
import CCurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The installed libcurl.
enum CurlLibrary {
    /// The file names of the library in Linux distributions: with OpenSSL, and with GnuTLS.
    static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]

    /// The first version that can reuse an HTTP/2 connection without TLS.
    static let firstWithPriorKnowledge: UInt32 = 0x080000

    /// The first version that calls back before it sends a request over a connection.
    ///
    /// With an older version, the transport cannot check whether bytes have arrived on a connection before the
    /// connection is reused. It also cannot prevent a request from being sent twice. Therefore it does not keep
    /// connections with these versions.
    static let firstWithPrerequest: UInt32 = 0x075000

    /// The first version that does not reuse a connection on which bytes have arrived.
    static let firstWithLivenessCheck: UInt32 = 0x080000

    /// The first version that was observed to fail if a response without a length is cut off during an upload. Older
    /// versions continue to send.
    static let firstWithEndInUpload: UInt32 = 0x080E00

    /// The first version that was observed to use all the time of a thread if it is paused between two calls.
    static let firstThatSpinsInPauses: UInt32 = 0x080E00

    /// The first version that accepts long heads over HTTP/2. Older versions hang, or close the connection.
    static let firstWithLongHTTP2Heads: UInt32 = 0x080000

    /// True if the loaded version calls back before it sends a request.
    static var asksBeforeSending: Bool { ccurl_version_number() >= firstWithPrerequest }

    /// The maximum number of bytes of a head over HTTP/2 that the loaded version accepts.
    static var http2HeadBytes: Int { ccurl_version_number() >= firstWithLongHTTP2Heads ? .max : 60 << 10 }

    /// Loads the library, unless it is already loaded. Throws an error that tells how to solve the problem.
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
