#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// What a C function that handles a signal looks like; it may call async-signal-safe functions only.
typealias SignalHandler = @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

// The member of the C union has another name on each platform.
extension sigaction {
    init(handler: @escaping SignalHandler) {
        self.init()
        #if canImport(Darwin)
        __sigaction_u.__sa_sigaction = handler
        #else
        __sigaction_handler.sa_sigaction = handler
        #endif
    }

    /// The function to be called; nil for the default action, and for none.
    var handler: SignalHandler? {
        isDefault || isIgnoring ? nil : unsafeBitCast(address, to: SignalHandler?.self)
    }

    var isDefault: Bool {
        address == unsafeBitCast(SIG_DFL, to: Int.self)
    }

    var isIgnoring: Bool {
        address == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private var address: Int {
        #if canImport(Darwin)
        unsafeBitCast(__sigaction_u.__sa_sigaction, to: Int.self)
        #else
        unsafeBitCast(__sigaction_handler.sa_sigaction, to: Int.self)
        #endif
    }
}
