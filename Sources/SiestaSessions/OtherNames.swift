public import Foundation

// Names that are common in other libraries. Using one is an error whose message names the right declaration. None of them is part
// of the public interface.

extension UserSession {
    /// Not available: use ``principal`` or ``state``.
    @available(*, unavailable, message: "Use principal != nil. If the user must sign in again, the state is .expired.")
    public var isSignedIn: Bool { fatalError() }

    /// Not available: use ``state``.
    @available(*, unavailable, message: "Use if case .expired = state.")
    public var isExpired: Bool { fatalError() }

    /// Not available: use ``principal``.
    @available(*, unavailable, renamed: "principal")
    public var user: String? { fatalError() }

    /// Not available: use ``states``.
    @available(*, unavailable, message: "Use a loop over states.")
    public func onChange(_ action: @escaping (State) -> Void) { fatalError() }
}

extension Credential {
    /// Not available: use ``secret``.
    @available(*, unavailable, renamed: "secret")
    public var accessToken: String { fatalError() }

    /// Not available: use ``expirationDate``.
    @available(*, unavailable, message: "Compare expirationDate with the present time.")
    public var isExpired: Bool { fatalError() }

    /// Not available: use ``init(_:refreshToken:expirationDate:details:)``.
    @available(*, unavailable, renamed: "init(_:refreshToken:expirationDate:details:)")
    public init(_ secret: String, refresh: String) { fatalError() }

    /// Not available: use ``init(_:refreshToken:expirationDate:details:)``.
    @available(*, unavailable, renamed: "init(_:refreshToken:expirationDate:details:)")
    public init(_ secret: String, refreshToken: String? = nil, expiresAt date: Date) { fatalError() }
}

extension CredentialStore where Self == StandardCredentialStore {
    /// Not available: use ``memory``.
    @available(*, unavailable, renamed: "memory")
    public static var inMemory: StandardCredentialStore { fatalError() }
}
