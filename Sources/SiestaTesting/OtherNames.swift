public import Foundation
public import SiestaCore
public import SiestaNetworking

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

// Names that are common in other libraries. They are public only so that the compiler can report them: the error message gives the
// replacement, or the reason why there is none. They throw, so that none of them satisfies a requirement of an app's protocol.

extension StubAnswer {
    /// Not available: pass the code of a `URLError`.
    @available(*, unavailable, message: "Use a URLError.Code, as in .failure(.notConnectedToInternet).")
    public static func failure(_ code: RequestError.Code) -> StubAnswer { fatalError() }

    /// Not available: use ``after(_:)`` or ``held``.
    @available(*, unavailable, message: "Use after(_:) with a gate that the test opens, or held.")
    public func delayed(by time: TimeInterval) throws -> StubAnswer { fatalError() }

    /// Not available: use ``failure(_:)``.
    @available(*, unavailable, message: "Use .failure(.notConnectedToInternet).")
    public static var offline: StubAnswer { fatalError() }

    /// Not available: use ``failure(_:)``.
    @available(*, unavailable, renamed: "failure(_:)")
    public static func error(_ error: any Error) -> StubAnswer { fatalError() }

    /// Not available: use ``text(_:contentType:status:headers:)``.
    @available(*, unavailable, message: "Use .text(_:status:) or .json(_:status:).")
    public static func response(_ status: Int, headers: [String: String] = [:], body: String) -> StubAnswer {
        fatalError()
    }

    /// Not available: pass the JSON as a string.
    @available(*, unavailable, message: "Pass the JSON as a string.")
    public static func json(_ value: [String: Any], status: Int = 200) -> StubAnswer { fatalError() }

    /// Not available: use ``after(_:)`` or ``held``.
    @available(*, unavailable, message: "Use after(_:) with a gate that the test opens, or held.")
    public func delayed(by time: Duration) throws -> StubAnswer { fatalError() }
}

extension StubNetwork {
    /// Not available: set ``handler``.
    @available(*, unavailable, message: "Set handler, a closure that receives each request.")
    public func answer(_ method: RequestMethod = .get, _ path: String, with answer: (URLRequest) -> StubAnswer) throws {
        fatalError()
    }

    /// Not available: use ``StubAnswer/held``.
    @available(*, unavailable, message: "Use answer(_:_:with:) with the answer .held.")
    public func hold(_ method: RequestMethod = .get, _ path: String) throws { fatalError() }

    /// Not available: use ``StubAnswer/failure(_:)``.
    @available(*, unavailable, message: "Use the answer .failure(.notConnectedToInternet).")
    public var isOffline: Bool {
        get { fatalError() }
        set { fatalError() }
    }
}
