#if Encryption
import CCrypto

/// Functions of OpenSSL that are not about one record.
enum OpenSSL {
    /// Initializes OpenSSL so that it does not clean up at exit, when other threads may still use it. This property
    /// must be read before any other use of OpenSSL.
    static let isReady: Void = {
        _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    }()

    static func fillWithRandomness(_ bytes: UnsafeMutableRawBufferPointer) throws {
        isReady
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        guard RAND_bytes(start, Int32(bytes.count)) == 1 else { throw SealingError.library(failure("Randomness")) }
    }

    /// Returns OpenSSL's last error on this thread, with a prefix, and clears it.
    static func failure(_ what: String) -> String {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let reason = ERR_reason_error_string(code) else { return what }
        return "\(what): \(String(cString: reason))"
    }
}
#endif
