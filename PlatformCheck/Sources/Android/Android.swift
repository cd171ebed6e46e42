/// Stands for the C library of Android.
@_exported public import Glibc

extension sigaction {
    public var sa_sigaction:
        (@convention(c) (CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void)?
    {
        get { fatalError() }
        set { fatalError() }
    }
}
