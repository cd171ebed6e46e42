/// Stands for the C library of Android.
@_exported public import Glibc

public let SOCK_STREAM: CInt = 1

extension sigaction {
    public var sa_sigaction:
        (@convention(c) (CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void)?
    {
        get { fatalError() }
        set { fatalError() }
    }
}
