#if os(Linux) || os(Android)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Keeps OpenSSL, which libcurl loads, alive while the process exits.
enum OpenSSLAtExit {
    /// Initializes OpenSSL so that it registers no clean-up at exit. The property must be read before the first use of
    /// OpenSSL; later reads have no effect. Without OpenSSL, it does nothing.
    ///
    /// With the clean-up, `exit` frees memory that the threads of requests in flight still use, and the process
    /// crashes.
    static let cleanUpDisabled: Void = {
        guard let symbol = dlsym(nil, "OPENSSL_init_crypto") else { return }
        typealias Initialise = @convention(c) (UInt64, OpaquePointer?) -> CInt
        _ = unsafeBitCast(symbol, to: Initialise.self)(noAtExit, nil)
    }()

    /// `OPENSSL_INIT_NO_ATEXIT` of openssl/crypto.h.
    private static let noAtExit: UInt64 = 0x0008_0000
}
#endif
