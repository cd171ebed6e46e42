import Foundation
import FuzzDriver

@testable import SiestaLive

@main
struct EventFuzzer {
    static func main() {
        runFuzzer { fuzz($0, $1) }
    }
}

/// What a parser has found.
private struct Outcome: Equatable {
    var events: [ServerEvent] = []
    var lastID = ""
    var retry: TimeInterval?
    var isTooLong = false
}

/// Takes the first byte of an input for the sizes of pieces, and the other bytes for a stream of events. The division into pieces does
/// not change the events, unless an event is too long: then the events before it are the same. A simple parser, which knows the whole
/// stream, finds the same.
private func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    guard let first = input.first else { return 0 }
    let stream = Array(input.dropFirst())
    let whole = outcome([stream[...]], limit: 1 << 20)
    var pieces: [ArraySlice<UInt8>] = []
    var (start, state) = (0, UInt32(first))
    while start < stream.count {
        state = state &* 1_664_525 &+ 1_013_904_223
        let end = min(start + 1 + Int(state >> 24) % (1 + Int(first % 16)), stream.count)
        pieces.append(stream[start..<end])
        start = end
    }
    precondition(outcome(pieces, limit: 1 << 20) == whole)
    precondition(simpleEvents(stream) == whole.events)
    let limited = outcome(pieces, limit: 16)
    precondition(limited.events == Array(whole.events.prefix(limited.events.count)))
    precondition(limited.isTooLong || limited == whole)
    return 0
}

private func outcome(_ pieces: [ArraySlice<UInt8>], limit: Int) -> Outcome {
    var parser = EventParser(limit: limit)
    var outcome = Outcome()
    for piece in pieces where !outcome.isTooLong {
        do { try parser.add(piece, to: &outcome.events) } catch { outcome.isTooLong = true }
    }
    (outcome.lastID, outcome.retry) = (parser.lastID, parser.retry)
    return outcome
}

/// Follows WHATWG HTML §9.2.6 line by line.
private func simpleEvents(_ stream: [UInt8]) -> [ServerEvent] {
    var text = stream
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
    var lines: [[UInt8]] = []
    var (line, index) = ([UInt8](), 0)
    while index < text.count {
        let byte = text[index]
        if byte == 0x0A || byte == 0x0D {
            if byte == 0x0D, index + 1 < text.count, text[index + 1] == 0x0A { index += 1 }
            lines.append(line)
            line = []
        } else {
            line.append(byte)
        }
        index += 1
    }
    var events: [ServerEvent] = []
    var (type, data, id) = ("", [[UInt8]](), "")
    for line in lines {
        if line.isEmpty {
            if !data.isEmpty {
                let joined = Array(data.joined(separator: [0x0A]))
                events.append(
                    ServerEvent(
                        type: type.isEmpty ? "message" : type, data: String(decoding: joined, as: UTF8.self), id: id))
            }
            (type, data) = ("", [])
            continue
        }
        guard line[0] != 0x3A else { continue }
        let end = line.firstIndex(of: 0x3A) ?? line.count
        var value = Array(line[min(end + 1, line.count)...])
        if value.first == 0x20 { value.removeFirst() }
        switch String(decoding: line[..<end], as: UTF8.self) {
        case "data": data.append(value)
        case "event": type = String(decoding: value, as: UTF8.self)
        case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        default: break
        }
    }
    return events
}
