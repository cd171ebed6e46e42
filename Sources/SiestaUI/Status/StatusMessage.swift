/// The texts of a status, which a view only has to arrange.
public struct StatusMessage: Sendable, Equatable {
    /// The kind of a message, from which a view chooses an icon.
    public enum Kind: Sendable, Equatable {
        /// A load has failed.
        case failure
        /// There is no network.
        case offline
        /// A request waits for its next attempt.
        case waiting
    }

    /// The kind of the message.
    public var kind: Kind
    /// A few words.
    public var heading: String
    /// The reason, as a sentence or phrase; empty if there is no reason. The reason is the `userMessage` of an error.
    public var detail: String
    /// The time until the next attempt, in words; empty if no attempt is planned. This text changes each second.
    public var countdown: String
    /// The title of the button that calls ``StatusOverlayModel/retry()``; nil if there is no such button.
    public var retryTitle: String?

    /// Creates a message.
    public init(
        kind: Kind, heading: String, detail: String = "", countdown: String = "", retryTitle: String? = nil
    ) {
        (self.kind, self.heading, self.detail, self.countdown) = (kind, heading, detail, countdown)
        self.retryTitle = retryTitle
    }

    /// All texts in one line, for a terminal or a screen reader. Parts are separated by " · ", and have no period at
    /// the end.
    public var line: String {
        [heading, detail, countdown].map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
            .filter { !$0.isEmpty }.joined(separator: " · ")
    }
}
