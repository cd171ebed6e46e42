/// The status to show, as decided by a ``StatusOverlayModel``: the cover over the content, and the message.
public struct StatusDisplay: Sendable, Equatable {
    /// The view that covers the content.
    public enum Cover: Sendable {
        /// There is no cover, so the content is visible.
        case none
        /// An activity indicator covers the content.
        case loading
        /// A message about a failure covers the content.
        case failure
    }

    /// The cover over the content.
    public var cover: Cover

    /// The message on the cover or, if there is no cover, in a banner over the content. Nil if there is no message.
    public var message: StatusMessage?

    /// The message of a banner over content that stays visible; nil if there is no banner.
    public var banner: StatusMessage? { cover == .none ? message : nil }

    /// The line about live updates; nil if there is a cover, if no resource has a source of live updates, or while the
    /// first connection is being established.
    public var live: LiveLine?

    /// True if only the content is shown, without a cover, a banner or a line.
    public var isEmpty: Bool { self == .content }

    /// The display without its countdown, which changes each second. A screen reader announces other changes only.
    var withoutCountdown: StatusDisplay {
        var result = self
        result.message?.countdown = ""
        return result
    }

    /// A display that shows only the content.
    public static let content = StatusDisplay(cover: .none)

    /// Creates a display from its parts.
    public init(cover: Cover, message: StatusMessage? = nil, live: LiveLine? = nil) {
        (self.cover, self.message, self.live) = (cover, message, live)
    }

    /// The time for which a load must run before the models of lists and overlays show it, in seconds: 0.3.
    static let loadingDelay = 0.3
    /// The time for which a load that is shown stays visible, in seconds: 0.5.
    static let minimumLoadingTime = 0.5
}
