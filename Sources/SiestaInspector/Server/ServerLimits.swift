import Foundation

/// The limits of the inspector's server. Times are in seconds.
struct ServerLimits: Sendable {
    /// The maximum number of open connections.
    var connections = 64
    /// The maximum size of the request line and the header fields, in bytes.
    var headBytes = 16 << 10
    /// The maximum size of a request body, in bytes.
    var bodyBytes = 1 << 20
    /// The time within which a request must arrive completely, and within which a client must read some bytes.
    var patience: TimeInterval = 10
    /// The time for which the server waits for the client's end of the stream after its own end.
    var linger: TimeInterval = 1
    /// The time after which a stream of events without events sends a comment, so that a lost client is noticed.
    var heartbeat: TimeInterval = 15
    /// The maximum number of bytes that wait for the reader of a stream of events. A slower reader is disconnected.
    var streamBacklog = 4 << 20
    /// The maximum number of past events that are kept for readers that reconnect.
    var keptEvents = 200
    /// The maximum size of the past events that are kept, in bytes.
    var keptBytes = 2 << 20
}
