#if os(Linux)
import Glibc

/// Keeps OpenSSL, which libcurl brings along, alive while the process exits.
enum OpenSSLAtExit {
    /// Initialises OpenSSL so that it registers no clean-up at exit; reading it a second time does nothing.
    ///
    /// Otherwise `exit` frees what the threads of requests in flight still use, and the process crashes. This must come
    /// before the first use of OpenSSL; without OpenSSL there is nothing to do.
    static let cleanUpDisabled: Void = {
        guard let symbol = dlsym(nil, "OPENSSL_init_crypto") else { return }
        typealias Initialise = @convention(c) (UInt64, OpaquePointer?) -> CInt
        _ = unsafeBitCast(symbol, to: Initialise.self)(noAtExit, nil)
    }()

    /// `OPENSSL_INIT_NO_ATEXIT` of openssl/crypto.h.
    private static let noAtExit: UInt64 = 0x0008_0000
}
#endif
