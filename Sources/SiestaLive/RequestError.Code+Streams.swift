public import SiestaCore

extension RequestError.Code {
    /// The response to a request for events has a content type other than `text/event-stream`.
    public static var notEventStream: Self { Self("notEventStream", \.cannotParseResponse) }
    /// The server has sent no bytes of a stream for the duration of its `silenceLimit`.
    public static var silentStream: Self { Self("silentStream") }
}
