import Foundation

/// What one client may cost the server.
struct Limits: Sendable {
    /// The longest request line, in bytes; beyond it the answer is 414.
    var requestLine = 8 * 1024

    /// The longest head, in bytes; beyond it the answer is 431.
    var head = 16 * 1024

    /// The longest content, in bytes; beyond it the answer is 413.
    var body = 64 * 1024

    /// How long a connection may take to bring a whole request, in seconds, before it is closed.
    var idle: TimeInterval = 60

    /// How long a client may refuse to take a byte, in seconds, before its connection is closed.
    var stalled: TimeInterval = 30

    /// How many connections are served at once; one more is closed as soon as it opens.
    var connections = 512
}
