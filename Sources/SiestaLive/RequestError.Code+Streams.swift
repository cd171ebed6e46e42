public import SiestaCore

extension RequestError.Code {
    /// The response to a request for events has a content type other than `text/event-stream`.
    public static var notEventStream: Self { Self("notEventStream", \.cannotParseResponse) }
    /// A stream has sent nothing for ``EventStream/Options/silenceLimit``, not even a comment.
    public static var silentStream: Self { Self("silentStream") }
}
