/// A decision of a ``StatusOverlayModel`` for a view to apply: the cover over the content, and the message.
public struct StatusDisplay: Sendable, Equatable {
    /// The part of the screen that is covered.
    public enum Cover: Sendable {
        /// The content is visible.
        case none
        /// An activity indicator covers the content.
        case loading
        /// A message about a failure covers the content.
        case failure
    }

    /// The part of the screen that is covered.
    public var cover: Cover

    /// The message on the cover. If there is no cover, this property is the message of a banner over the content. Nil
    /// if there is no message.
    public var message: StatusMessage?

    /// The message of a banner over content that stays visible; nil if there is no banner.
    public var banner: StatusMessage? { cover == .none ? message : nil }

    /// The line about live updates; nil if there is a cover, or if no resource has a source of live updates.
    public var live: LiveLine?

    /// True if nothing is shown: no cover, no banner and no line.
    public var isEmpty: Bool { self == .content }

    /// The content alone.
    public static let content = StatusDisplay(cover: .none)

    /// Creates a display.
    public init(cover: Cover, message: StatusMessage? = nil, live: LiveLine? = nil) {
        (self.cover, self.message, self.live) = (cover, message, live)
    }

    /// The time for which a load must run before the models of lists and overlays show it, in seconds: 0.3.
    static let loadingDelay = 0.3
    /// The time for which a load that is shown stays visible, in seconds: 0.5.
    static let minimumLoadingTime = 0.5
}
