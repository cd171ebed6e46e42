/// Stands for the C library of Linux systems without glibc.
@_exported public import Glibc

public let SOCK_STREAM: CInt = 1

extension sigaction {
    public var __sa_handler: __sigaction_handler_union {
        get { fatalError() }
        set { fatalError() }
    }
}

public struct __sigaction_handler_union {
    public var sa_sigaction:
        (@convention(c) (CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void)?
}
