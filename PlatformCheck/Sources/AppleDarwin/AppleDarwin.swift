/// Stands for the C library of Apple platforms. Names that both libraries have come from the library of Linux, unless
/// they are declared here with their type on Apple platforms.
@_exported public import Glibc

public let F_FULLFSYNC: CInt = 51
public let F_SETNOSIGPIPE: CInt = 73
public let F_GETNOSIGPIPE: CInt = 74

// MARK: Sockets

extension sockaddr_in {
    public var sin_len: UInt8 {
        get { fatalError() }
        set { fatalError() }
    }
}

public let SO_NOSIGPIPE: CInt = 0x1022
public let SOCK_STREAM: CInt = 1
public let MSG_PEEK: CInt = 2

// MARK: Threads and signals

public func pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>, _ attributes: UnsafePointer<pthread_attr_t>?,
    _ start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer?
) -> CInt { fatalError() }

public struct __sigaction_u {
    public var __sa_sigaction: @convention(c) (CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void
}

extension sigaction {
    public var __sigaction_u: __sigaction_u {
        get { fatalError() }
        set { fatalError() }
    }
}
