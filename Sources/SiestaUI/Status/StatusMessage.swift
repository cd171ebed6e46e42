/// A message about a load that has failed or is waiting. It contains all the text that a view needs to show the
/// message.
public struct StatusMessage: Sendable, Equatable {
    /// The kind of a message. A view can choose an icon for each kind.
    public enum Kind: Sendable, Equatable {
        /// A load has failed.
        case failure
        /// There is no network.
        case offline
        /// A request is waiting, for example for its next attempt.
        case waiting
    }

    /// The kind of the message.
    public var kind: Kind
    /// The heading, a few words long.
    public var heading: String
    /// The reason for the failure or the wait: the `userMessage` of an error. Empty if there is no reason to show.
    public var detail: String
    /// The time until the next attempt, in words; empty if no attempt is planned. This text changes each second.
    public var countdown: String
    /// The title of the button that calls ``StatusOverlayModel/retry()``; nil if there is no such button.
    public var retryTitle: String?

    /// Creates a message from its parts.
    public init(
        kind: Kind, heading: String, detail: String = "", countdown: String = "", retryTitle: String? = nil
    ) {
        (self.kind, self.heading, self.detail, self.countdown) = (kind, heading, detail, countdown)
        self.retryTitle = retryTitle
    }

    /// The text for a layout without a label for the heading: the reason, or the heading if there is no reason to show.
    var reason: String { detail.isEmpty ? heading : detail }

    /// All text of the message in one line, for a terminal or a screen reader. The parts are separated by " · ". A
    /// period at the end of a part is removed.
    public var line: String {
        [heading, detail, countdown].map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
            .filter { !$0.isEmpty }.joined(separator: " · ")
    }
}
