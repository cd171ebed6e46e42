public import SiestaCore

/// The condition under which a server carries out a change (RFC 9110 §13); see ``Configuration/precondition``.
public enum Precondition: Sendable {
    /// No condition: the change overwrites changes by other clients.
    case none
    /// The data is still the version on which the edit was based. Sends `If-Match` with the strong `ETag` of the data,
    /// or else `If-Unmodified-Since` with its `Last-Modified` date. If the data has neither header, sends no condition.
    case unchanged
    /// The resource does not exist yet. Sends `If-None-Match: *`.
    case absent
}

extension Configuration {
    /// The condition under which a server carries out the changes that
    /// ``TypedResource/mutate(_:body:also:options:edit:resolve:)`` makes. The default is ``Precondition/none``.
    ///
    /// The library reads this option from the configuration for the method of the change. The option applies only to
    /// changes.
    public var precondition: Precondition {
        get { self[PreconditionKey.self] }
        set { self[PreconditionKey.self] = newValue }
    }
}

private struct PreconditionKey: ConfigurationKey { static let defaultValue = Precondition.none }
