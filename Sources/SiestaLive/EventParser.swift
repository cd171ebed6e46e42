import Foundation
import HTTPRules

/// Reads events from the bytes of a `text/event-stream` (WHATWG HTML §9.2.5 and §9.2.6), in whatever pieces they arrive. Pure.
///
/// The time is linear in the bytes. The memory is limited: an event with more than ``limit`` bytes is an error.
struct EventParser: Sendable {
    /// The error if an event, or a line, has more bytes than the limit.
    struct TooLong: Error {}

    /// The maximum number of bytes of one event, with its unfinished line.
    let limit: Int

    /// The last identifier of the stream. It stays until another one arrives, also across connections.
    private(set) var lastID: String

    /// The reconnection time for which the server has asked, in seconds; nil if it has asked for none.
    private(set) var retry: TimeInterval?

    /// The identifier that counts from the end of the present event on.
    private var nextID: String
    private var type = ""
    private var data: [UInt8] = []
    private var hasData = false
    /// The beginning of a line whose end has not arrived.
    private var line: [UInt8] = []
    /// True if the last byte was a CR: an LF that follows belongs to it.
    private var endsWithCR = false
    private var isFirstLine = true

    /// - Parameter lastID: the last identifier that earlier connections have received; empty for none.
    init(limit: Int, lastID: String = "") {
        (self.limit, self.lastID, nextID) = (limit, lastID, lastID)
    }

    /// Adds a piece of the stream. Appends the events that are complete to `events`.
    ///
    /// - Throws: ``TooLong``. The stream cannot be read any further.
    mutating func add(_ piece: some Collection<UInt8>, to events: inout [ServerEvent]) throws(TooLong) {
        var rest = piece[...]
        if endsWithCR, let first = rest.first {
            endsWithCR = false
            if first == lf { rest = rest.dropFirst() }
        }
        while let end = rest.firstIndex(where: { $0 == lf || $0 == cr }) {
            let part = rest[..<end]
            let isCR = rest[end] == cr
            rest = rest[rest.index(after: end)...]
            if line.isEmpty {
                try take(part, &events)
            } else {
                line += part
                let whole = exchangeLine()
                try take(whole[...], &events)
            }
            guard isCR else { continue }
            guard let next = rest.first else {
                endsWithCR = true
                return
            }
            if next == lf { rest = rest.dropFirst() }
        }
        line += rest
        if line.count + data.count > limit { throw TooLong() }
    }

    private mutating func exchangeLine() -> [UInt8] {
        let whole = line
        line = []
        return whole
    }

    private mutating func take(_ part: some Collection<UInt8>, _ events: inout [ServerEvent]) throws(TooLong) {
        var part = part[...]
        if isFirstLine {
            isFirstLine = false
            if part.starts(with: [0xEF, 0xBB, 0xBF]) { part = part.dropFirst(3) }
        }
        guard part.count + data.count <= limit else { throw TooLong() }
        guard let first = part.first else { return endEvent(&events) }
        guard first != colon else { return }  // A comment.
        let end = part.firstIndex(of: colon)
        let name = part[..<(end ?? part.endIndex)]
        var value = end.map { part[part.index(after: $0)...] } ?? part[part.endIndex...]
        if value.first == space { value = value.dropFirst() }
        if name.elementsEqual("data".utf8) {
            data += value
            data.append(lf)
            hasData = true
        } else if name.elementsEqual("event".utf8) {
            type = StreamSafety.safe(String(decoding: value, as: UTF8.self))
        } else if name.elementsEqual("id".utf8) {
            if !value.contains(0) { nextID = String(decoding: value, as: UTF8.self) }
        } else if name.elementsEqual("retry".utf8) {
            // More than nine digits are more than eleven days.
            guard !value.isEmpty, value.allSatisfy({ 0x30...0x39 ~= $0 }) else { return }
            let digits = value.drop { $0 == 0x30 }.prefix(10)
            let time = digits.reduce(0) { $0 * 10 + Double($1 - 0x30) }
            retry = digits.count < 10 ? time / 1000 : .infinity
        }
    }

    /// Ends an event at an empty line. Without data, there is no event, but its identifier counts.
    private mutating func endEvent(_ events: inout [ServerEvent]) {
        lastID = nextID
        defer {
            (type, hasData) = ("", false)
            data.removeAll(keepingCapacity: data.capacity <= 1 << 16)
        }
        guard hasData else { return }
        let text = String(decoding: data.dropLast(), as: UTF8.self)
        events.append(ServerEvent(type: type.isEmpty ? "message" : type, data: text, id: lastID))
    }
}

private let (lf, cr) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
private let (colon, space) = (UInt8(ascii: ":"), UInt8(ascii: " "))
