import Foundation
import SiestaCore
import TestKit
import Testing

@testable import SiestaLive

/// The stream, the events that it contains, and the state of the parser after it.
struct EventVector: Sendable, CustomTestStringConvertible {
    var bytes: [UInt8]
    var events: [ServerEvent]
    var lastID = ""
    var retry: TimeInterval?

    init(_ text: String, _ events: ServerEvent..., lastID: String? = nil, retry: TimeInterval? = nil) {
        self.init(Array(text.utf8), events, lastID: lastID, retry: retry)
    }

    init(_ bytes: [UInt8], _ events: [ServerEvent], lastID: String? = nil, retry: TimeInterval? = nil) {
        (self.bytes, self.events, self.retry) = (bytes, events, retry)
        self.lastID = lastID ?? events.last?.id ?? ""
    }

    var testDescription: String { String(decoding: bytes, as: UTF8.self).debugDescription }
}

private func message(_ data: String, _ id: String = "", type: String = "message") -> ServerEvent {
    ServerEvent(type: type, data: data, id: id)
}

struct EventParserTests {
    /// From WHATWG HTML §9.2.5 (grammar) and §9.2.6 (interpretation), with the examples of the latter.
    static let vectors: [EventVector] = [
        // The examples of the specification.
        EventVector("data: YHOO\ndata: +2\ndata: 10\n\n", message("YHOO\n+2\n10")),
        EventVector(
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            message("first event", "1"), message("second event"), message(" third event")),
        EventVector("data\n\ndata\ndata\n\ndata:", message(""), message("\n")),
        EventVector("data:test\n\ndata: test\n\n", message("test"), message("test")),
        EventVector(
            "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n", message("73857293", type: "add"),
            message("2153", type: "remove")),
        // Line ends.
        EventVector("data: a\r\rdata: b\r\r", message("a"), message("b")),
        EventVector("data: a\r\n\r\ndata: b\r\n\r\n", message("a"), message("b")),
        EventVector("data: a\r\n\ndata: b\r\r\n", message("a"), message("b")),
        EventVector("data: a\n\rdata: b\n\r", message("a"), message("b")),
        EventVector("data: a\r\rdata: b\n\n", message("a"), message("b")),
        EventVector("data: a\r\n\rdata: b\n\r\n", message("a"), message("b")),
        EventVector("data: a\rdata: b\r\ndata: c\n\n", message("a\nb\nc")),
        EventVector("\n\n\ndata: a\n\n\n\n", message("a")),
        EventVector("\r\r\rdata: a\r\r\r", message("a")),
        EventVector("\r\n\r\ndata: a\r\n\r\n\r\n", message("a")),
        EventVector("data: a\u{85}\n\n", message("a\u{85}")),
        EventVector("data: a\u{2028}b\n\n", message("a\u{2028}b")),
        EventVector("data: a\u{0B}b\u{0C}c\n\n", message("a\u{0B}b\u{0C}c")),
        // The end of the stream drops what is not complete.
        EventVector(""),
        EventVector("data: a"),
        EventVector("data: a\n"),
        EventVector("data: a\n\ndata: b\n", message("a")),
        EventVector("data: a\n\ndata: b", message("a")),
        EventVector("id: 7\ndata: a\n", lastID: ""),
        EventVector("data: a\r", lastID: ""),
        EventVector("data: a\n\r", message("a")),
        // The byte order mark counts only at the start.
        EventVector("\u{FEFF}data: a\n\n", message("a")),
        EventVector("\u{FEFF}\u{FEFF}data: a\n\n"),
        EventVector("\u{FEFF}\ndata: a\n\n", message("a")),
        EventVector("\u{FEFF}: c\n\ndata: a\n\n", message("a")),
        EventVector("data: a\n\n\u{FEFF}data: b\n\n", message("a")),
        EventVector("\n\u{FEFF}data: a\n\n"),
        EventVector("data: \u{FEFF}a\n\n", message("\u{FEFF}a")),
        EventVector([0xEF, 0xBB] + Array("data: a\n\n".utf8), []),
        // Comments.
        EventVector(":\n\n"),
        EventVector(": hello\n\n"),
        EventVector("::data: a\n\n"),
        EventVector(":data: a\ndata: b\n\n", message("b")),
        EventVector("data: a\n: c\ndata: b\n\n", message("a\nb")),
        EventVector(" : c\ndata: a\n\n", message("a")),
        // Names of fields.
        EventVector("Data: a\n\n"),
        EventVector("DATA: a\n\n"),
        EventVector(" data: a\n\n"),
        EventVector("data : a\n\n"),
        EventVector("\tdata: a\n\n"),
        EventVector("dat: a\n\n"),
        EventVector("datas: a\n\n"),
        EventVector("data\u{0}: a\n\n"),
        EventVector("unknown: x\ndata: a\n\n", message("a")),
        EventVector("unknown\ndata: a\n\n", message("a")),
        EventVector("データ: a\ndata: b\n\n", message("b")),
        // Values.
        EventVector("data:a\n\n", message("a")),
        EventVector("data: a\n\n", message("a")),
        EventVector("data:  a\n\n", message(" a")),
        EventVector("data:\ta\n\n", message("\ta")),
        EventVector("data: a \n\n", message("a ")),
        EventVector("data: a:b: c\n\n", message("a:b: c")),
        EventVector("data::\n\n", message(":")),
        EventVector("data: :\n\n", message(":")),
        EventVector("data:\n\n", message("")),
        EventVector("data: \n\n", message("")),
        EventVector("data\n\n", message("")),
        EventVector("data:\ndata:\n\n", message("\n")),
        EventVector("data\ndata: a\ndata\n\n", message("\na\n")),
        EventVector("data: a\u{0}b\n\n", message("a\u{0}b")),
        EventVector("data: 😀 é\n\n", message("😀 é")),
        EventVector(Array("data: ".utf8) + [0xFF, 0x41, 0xC3] + Array("\n\n".utf8), [message("\u{FFFD}A\u{FFFD}")]),
        EventVector(Array("data: ".utf8) + [0xE2, 0x82] + Array("\ndata: x\n\n".utf8), [message("\u{FFFD}\nx")]),
        EventVector(Array("da".utf8) + [0xC3] + Array("ta: x\n\n".utf8), []),
        // Types.
        EventVector("event: a\n\n"),
        EventVector("event: a\n\ndata: x\n\n", message("x")),
        EventVector("event: a\nevent: b\ndata: x\n\n", message("x", type: "b")),
        EventVector("event: a\nevent\ndata: x\n\n", message("x")),
        EventVector("event:\ndata: x\n\n", message("x")),
        EventVector("data: x\nevent: late\n\ndata: y\n\n", message("x", type: "late"), message("y")),
        EventVector("event: a b\ndata: x\n\n", message("x", type: "a b")),
        EventVector("event:  a\ndata: x\n\n", message("x", type: " a")),
        // Identifiers.
        EventVector("id: 1\n\n", lastID: "1"),
        EventVector("id: 1\n\ndata: a\n\n", message("a", "1")),
        EventVector("id: 1\ndata: a\n\ndata: b\n\n", message("a", "1"), message("b", "1")),
        EventVector("data: a\nid: 1\n\n", message("a", "1")),
        EventVector("id: 1\nid: 2\ndata: a\n\n", message("a", "2")),
        EventVector("id: 1\ndata: a\n\nid:\ndata: b\n\n", message("a", "1"), message("b")),
        EventVector("id: 1\ndata: a\n\nid\ndata: b\n\n", message("a", "1"), message("b")),
        EventVector("id: 1\u{0}\ndata: a\n\n", message("a")),
        EventVector("id: 1\ndata: a\n\nid: 2\u{0}\ndata: b\n\n", message("a", "1"), message("b", "1")),
        EventVector("id: \u{0}\nid: 3\ndata: a\n\n", message("a", "3")),
        EventVector("id: é\ndata: a\n\n", message("a", "é")),
        EventVector("id:  1\ndata: a\n\n", message("a", " 1")),
        EventVector("ID: 1\ndata: a\n\n", message("a")),
        EventVector("id: 1\ndata: a\n\nid: 2\n", message("a", "1"), lastID: "1"),
        // Reconnection times.
        EventVector("retry: 10\n\n", retry: 0.01),
        EventVector("retry: 2500\ndata: a\n\n", message("a"), retry: 2.5),
        EventVector("retry:5\n", retry: 0.005),
        EventVector("retry: 0\n\n", retry: 0),
        EventVector("retry: 007\n\n", retry: 0.007),
        EventVector("retry: 1\nretry: 2\n\n", retry: 0.002),
        EventVector("retry: 1\nretry: x\n\n", retry: 0.001),
        EventVector("retry:\n\n"),
        EventVector("retry\n\n"),
        EventVector("retry: -1\n\n"),
        EventVector("retry: 1.5\n\n"),
        EventVector("retry: 1 \n\n"),
        EventVector("retry:  1\n\n"),
        EventVector("retry: 1e3\n\n"),
        EventVector("retry: 0x10\n\n"),
        EventVector("retry: ١\n\n"),
        EventVector("retry: 99999999999999999999999\n\n", retry: .infinity),
        EventVector("retry: 00000000000000000000001\n\n", retry: 0.001),
    ]

    @Test("The events of a stream are those of the specification", arguments: vectors)
    func events(vector: EventVector) throws {
        var parser = EventParser(limit: 1 << 16)
        var events: [ServerEvent] = []
        try parser.add(vector.bytes, to: &events)
        #expect(events == vector.events)
        #expect(parser.lastID == vector.lastID)
        #expect(parser.retry == vector.retry)
    }

    @Test("The events do not depend on the pieces in which the bytes arrive", arguments: vectors)
    func pieces(vector: EventVector) throws {
        func check(_ pieces: [ArraySlice<UInt8>]) throws {
            var parser = EventParser(limit: 1 << 16)
            var events: [ServerEvent] = []
            for piece in pieces { try parser.add(Data(piece), to: &events) }
            // An expectation takes far longer than a comparison.
            if events == vector.events, parser.lastID == vector.lastID, parser.retry == vector.retry { return }
            #expect(events == vector.events, "\(pieces.map { String(decoding: $0, as: UTF8.self) })")
            #expect(parser.lastID == vector.lastID)
            #expect(parser.retry == vector.retry)
        }
        let bytes = vector.bytes
        try check(bytes.indices.map { bytes[$0...$0] })
        for first in bytes.indices {
            try check([bytes[..<first], bytes[first...]])
            // All pairs of cuts of short streams, and neighbouring cuts of long ones.
            for second in first..<(bytes.count <= 40 ? bytes.count : min(first + 4, bytes.count)) {
                try check([bytes[..<first], bytes[first..<second], bytes[second...]])
            }
        }
    }

    @Test("Parsers are independent of their first identifier, which stays until the stream sends another one")
    func firstID() throws {
        var parser = EventParser(limit: 100, lastID: "9")
        var events: [ServerEvent] = []
        try parser.add(Data("data: a\n\nid: 10\ndata: b\n\n".utf8), to: &events)
        #expect(events == [message("a", "9"), message("b", "10")])
    }

    @Test(
        "An event with more bytes than the limit is an error",
        arguments: ["data: ", ": ", "id: ", "event: ", "x", "data: 12345678901\ndata: 12345678901\n", ""])
    func limit(start: String) {
        var parser = EventParser(limit: 20)
        var events: [ServerEvent] = []
        #expect(throws: EventParser.TooLong.self) {
            for byte in start.utf8 { try parser.add([byte], to: &events) }
            for _ in 0..<30 { try parser.add([0x41], to: &events) }
        }
        #expect(events.isEmpty)
    }

    @Test("Any number of events within the limit is read")
    func manyEvents() throws {
        var parser = EventParser(limit: 20)
        var count = 0
        for number in 0..<10_000 {
            var events: [ServerEvent] = []
            try parser.add(Data("id: \(number)\ndata: \(number)\n\n".utf8), to: &events)
            count += events.count
        }
        #expect(count == 10_000)
        #expect(parser.lastID == "9999")
    }

    @Test func `Events with many combining marks are compared by their bytes, in linear time`() {
        let growth = Growth(of: 1_000) { count in
            ["\u{301}\u{323}", "\u{323}\u{301}"].map {
                ServerEvent(data: "a" + String(repeating: $0, count: count))
            }
        } _: { events in
            #expect(events[0] != events[1])
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test(
        "The time is linear in the bytes, whatever they are",
        arguments: ["data: x\n", "x", "\r", ":\n", "data\n\n", "id: 1\n"])
    func growth(unit: String) {
        let growth = Growth(of: TestLevel.count(5_000, nightly: 20_000)) { count in
            Array(repeating: Data(unit.utf8), count: count)
        } _: { pieces in
            var parser = EventParser(limit: 1 << 30)
            var events: [ServerEvent] = []
            for piece in pieces { try? parser.add(piece, to: &events) }
        }
        #expect(growth.isBounded, "\(growth)")
    }
}
