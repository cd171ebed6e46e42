public import Foundation
public import SiestaCore

// Names that are common in other libraries. They are public only so that the compiler can report them: the error message gives the
// replacement, or the reason why there is none. They throw, so that none of them satisfies a requirement of an app's protocol.

extension Resource {
    /// Not available: pass the form as the body of ``request(_:body:)``.
    @available(*, unavailable, message: "Use request(_:body:) with the body .multipart(form).")
    public func upload(_ method: RequestMethod = .post, multipart form: MultipartForm) throws -> any Request {
        fatalError()
    }

    /// Not available: pass the file as the body of ``request(_:body:)``.
    @available(*, unavailable, message: "Use request(_:body:) with the body .file(url).")
    public func upload(_ method: RequestMethod = .put, file: URL) throws -> any Request { fatalError() }
}

extension RequestBody {
    /// Not available: use ``multipart(_:)``.
    @available(*, unavailable, renamed: "multipart(_:)")
    public static func form(_ form: MultipartForm) -> RequestBody { fatalError() }
}
