public import Foundation

/// The reason why an ``Inspector`` cannot start.
public enum InspectorError: LocalizedError, Equatable, Sendable {
    /// The app is a release build.
    case releaseBuild
    /// The service was released.
    case serviceReleased
    /// The port cannot be used. `reason` is the error message of the system.
    case portUnavailable(port: UInt16, reason: String)

    /// A message with the reason and the remedy.
    public var errorDescription: String? {
        switch self {
        case .releaseBuild:
            """
            The inspector does not start, because this is a release build. Call start(evenInRelease: true) if users of \
            this app may see what the service does.
            """
        case .serviceReleased: "The inspector does not start, because its service was released. Keep the service."
        case .portUnavailable(let port, let reason):
            "The inspector cannot use port \(port): \(reason). Pass another port, or 0 for a free one."
        }
    }
}
