#if Encryption
import CCrypto

/// What is asked of the library as a whole.
enum OpenSSL {
    /// Initialises the library so that it does not clean up while the process exits and other threads still use it;
    /// to be read before any other use.
    static let isReady: Void = {
        _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    }()

    static func fillWithRandomness(_ bytes: UnsafeMutableRawBufferPointer) throws {
        isReady
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        guard RAND_bytes(start, Int32(bytes.count)) == 1 else { throw SealingError.library(failure("Randomness")) }
    }

    /// What the library says went wrong last on this thread, and forgets.
    static func failure(_ what: String) -> String {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let reason = ERR_reason_error_string(code) else { return what }
        return "\(what): \(String(cString: reason))"
    }
}
#endif
