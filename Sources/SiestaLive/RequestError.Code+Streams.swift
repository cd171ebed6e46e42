public import SiestaCore

extension RequestError.Code {
    /// The response to a request for events has a content type other than `text/event-stream`.
    public static var notEventStream: Self { Self("notEventStream", \.cannotParseResponse) }
    /// A stream has sent no bytes for its `silenceLimit`.
    public static var silentStream: Self { Self("silentStream") }
}
