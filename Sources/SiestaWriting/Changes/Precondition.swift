public import SiestaCore

/// The condition under which a server carries out a change (RFC 9110 §13); see ``Configuration/precondition``.
public enum Precondition: Sendable {
    /// No condition: the change overwrites changes by other clients.
    case none
    /// The server still has the version on which the edit was based. The request carries `If-Match` with the strong
    /// `ETag` of this version. If the version has no strong `ETag`, the request carries `If-Unmodified-Since` with its
    /// `Last-Modified` date. If the version has neither, the request carries no condition.
    case unchanged
    /// The resource does not exist yet. The request carries `If-None-Match: *`.
    case absent
}

extension Configuration {
    /// The condition for changes that are made with ``TypedResource/mutate(_:body:also:options:edit:resolve:)``. The
    /// default is ``Precondition/none``.
    ///
    /// The library uses the value that is configured for the method of the change, such as PUT. The option has no
    /// effect on other requests.
    public var precondition: Precondition {
        get { self[PreconditionKey.self] }
        set { self[PreconditionKey.self] = newValue }
    }
}

private struct PreconditionKey: ConfigurationKey { static let defaultValue = Precondition.none }
