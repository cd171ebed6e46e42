public import Foundation
public import SiestaCore
public import SiestaNetworking

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

// Names that are common in other libraries. They are public only so that the compiler can report them: the error message gives the
// replacement, or the reason why there is none. They throw, so that none of them satisfies a requirement of an app's protocol.

extension UserSession {
    /// Not available: use ``principal`` or ``state``.
    @available(*, unavailable, message: "Use principal != nil. If the user must sign in again, the state is .expired.")
    public var isSignedIn: Bool { get throws { fatalError() } }

    /// Not available: use ``state``.
    @available(*, unavailable, message: "Use if case .expired = state.")
    public var isExpired: Bool { get throws { fatalError() } }

    /// Not available: use ``principal``.
    @available(*, unavailable, renamed: "principal")
    public var user: String? { get throws { fatalError() } }

    /// Not available: use ``states``.
    @available(*, unavailable, message: "Use a loop over states.")
    public func onChange(_ action: @escaping (State) -> Void) throws { fatalError() }

    /// Not available: pass a ``CredentialStore`` to the authenticator.
    @available(*, unavailable, message: "The session keeps the credential. Its store receives each new one.")
    public var credential: Credential? { get throws { fatalError() } }

    /// Not available: pass a ``CredentialStore`` to the authenticator.
    @available(*, unavailable, message: "The session keeps the credential. Its store receives each new one.")
    public var currentCredential: Credential? { get throws { fatalError() } }

    /// Not available: use ``principal``.
    @available(*, unavailable, message: "Use if case .signedIn = state.")
    public var isAuthenticated: Bool { get throws { fatalError() } }
}

extension Credential {
    /// Not available: use ``secret``.
    @available(*, unavailable, renamed: "secret")
    public var accessToken: String { get throws { fatalError() } }

    /// Not available: use ``expirationDate``.
    @available(*, unavailable, message: "Compare expirationDate with the present time.")
    public var isExpired: Bool { get throws { fatalError() } }

    /// Not available: use ``init(_:refreshToken:expirationDate:details:)``.
    @available(*, unavailable, renamed: "init(_:refreshToken:expirationDate:details:)")
    public init(_ secret: String, refresh: String) { fatalError() }

    /// Not available: use ``init(_:refreshToken:expirationDate:details:)``.
    @available(*, unavailable, renamed: "init(_:refreshToken:expirationDate:details:)")
    public init(_ secret: String, refreshToken: String? = nil, expiresAt date: Date) { fatalError() }

    /// Not available: use ``init(_:refreshToken:expirationDate:details:)``.
    @available(*, unavailable, renamed: "init(_:refreshToken:expirationDate:details:)")
    public init(_ secret: String, refreshToken: String? = nil, expires date: Date) { fatalError() }

    /// Not available: use ``init(_:refreshToken:expiresIn:details:)``.
    @available(*, unavailable, renamed: "init(_:refreshToken:expiresIn:details:)")
    public init(_ secret: String, refreshToken: String? = nil, expires seconds: TimeInterval) { fatalError() }

    /// Not available: use ``secret``.
    @available(*, unavailable, renamed: "secret")
    public var token: String { get throws { fatalError() } }
}

extension CredentialStore where Self == StandardCredentialStore {
    /// Not available: use ``memory``.
    @available(*, unavailable, renamed: "memory")
    public static var inMemory: StandardCredentialStore { fatalError() }
}

extension AuthenticationNetwork {
    /// Not available: use ``send(_:)``.
    @available(*, unavailable, message: "Use send(_:) with a URLRequest.")
    public func request(_ method: RequestMethod, _ url: any URLConvertible, body: RequestBody? = nil) async throws
        -> AuthenticatedResponse
    { fatalError() }

    /// Not available: use ``send(_:)``.
    @available(*, unavailable, message: "Use send(_:) with a URLRequest.")
    public func post(_ url: any URLConvertible, body: RequestBody? = nil) async throws -> AuthenticatedResponse {
        fatalError()
    }

    /// Not available: use ``send(_:)``.
    @available(*, unavailable, message: "Use send(_:) with a URLRequest.")
    public func send(_ method: RequestMethod, _ url: any URLConvertible, body: RequestBody? = nil) async throws
        -> AuthenticatedResponse
    { fatalError() }

    /// Not available: use ``send(_:)``.
    @available(*, unavailable, renamed: "send(_:)")
    public func data(for request: URLRequest) async throws -> AuthenticatedResponse { fatalError() }
}

extension AuthenticatedResponse {
    /// Not available: decode ``body``.
    @available(*, unavailable, message: "Use JSONDecoder().decode(_:from:) with body.")
    public func decoded<Content: Decodable>(as type: Content.Type = Content.self) throws -> Content { fatalError() }

    /// Not available: use ``body``.
    @available(*, unavailable, renamed: "body")
    public var data: Data { get throws { fatalError() } }

    /// Not available: use ``body``.
    @available(*, unavailable, renamed: "body")
    public var content: Data { get throws { fatalError() } }

    /// Not available: use ``body``.
    @available(*, unavailable, message: "Use String(decoding: body, as: UTF8.self).")
    public var text: String { get throws { fatalError() } }

    /// Not available: decode ``body``.
    @available(*, unavailable, message: "Use JSONDecoder().decode(_:from:) with body.")
    public var json: Any { get throws { fatalError() } }

    /// Not available: use ``status``.
    @available(*, unavailable, renamed: "status")
    public var statusCode: Int { get throws { fatalError() } }

    /// Not available: use ``header(_:)``.
    @available(*, unavailable, renamed: "header(_:)")
    public var headers: [String: String] { get throws { fatalError() } }
}
