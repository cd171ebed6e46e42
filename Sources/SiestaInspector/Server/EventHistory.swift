/// The last events of a stream, for readers that reconnect. Pure.
struct EventHistory: Sendable {
    private var events: [(id: Int, bytes: [UInt8])] = []
    private var byteCount = 0
    /// The number of the last event; 0 before the first one.
    private(set) var last = 0
    private let limit: (count: Int, bytes: Int)

    init(count: Int, bytes: Int) { limit = (count, bytes) }

    /// Adds an event with data of one line, and returns the bytes that readers receive.
    mutating func append(_ data: [UInt8]) -> [UInt8] {
        last += 1
        let bytes = Array("id: \(last)\ndata: ".utf8) + data + [0x0A, 0x0A]
        events.append((last, bytes))
        byteCount += bytes.count
        while events.count > limit.count || byteCount > limit.bytes, !events.isEmpty {
            byteCount -= events.removeFirst().bytes.count
        }
        return bytes
    }

    /// Counts an event that nobody received, so that a reader with an older number must read the whole state again.
    mutating func skip() {
        last += 1
        (events, byteCount) = ([], 0)
    }

    /// Returns the events after number `id`; nil if some of them are gone.
    func events(after id: Int) -> [[UInt8]]? {
        guard id <= last, id >= last - events.count else { return nil }
        return events.suffix(last - id).map(\.bytes)
    }

    /// The event that tells a reader to read the whole state again.
    static let resync = Array("event: resync\ndata: {}\n\n".utf8)
}
