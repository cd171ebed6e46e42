import Foundation
import FuzzDriver
import HTTPRules

@testable import CurlTransport

@main
struct HeadFuzzer {
    static func main() {
        runFuzzer { fuzz($0, $1) }
    }
}

/// Gives the lines of an input to the parser of response heads, and checks what must be true whatever a server sends.
private func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: bytes, count: count)
    let limit = 2048
    let fieldLimit = 20
    var parser = ResponseHeadParser(limit: limit, fieldLimit: fieldLimit)
    var received = 0
    var lines = 0
    var start = 0
    while start < count {
        let end = input[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? count
        let wasComplete = parser.isComplete
        let event = parser.receive(UnsafeRawBufferPointer(rebasing: input[start..<end]))
        received += end - start
        start = end
        lines += 1
        precondition((event == .tooLarge(.bytes)) == (received > limit))
        precondition(event != .tooLarge(.fields) || lines > fieldLimit + 1)
        precondition(parser.headers.count <= fieldLimit)
        if case .tooLarge = event { return 0 }
        precondition((event == .trailer) == wasComplete)
        if event == .head { checkHead(parser) }
    }
    return 0
}

private func checkHead(_ parser: ResponseHeadParser) {
    precondition(parser.isComplete)
    precondition(200..<1000 ~= parser.status || parser.status == 101)
    precondition(parser.version.utf8.count <= 24)  // eight bytes, each of which may have been replaced
    let fields = parser.headers.fields
    for (index, field) in parser.headers.enumerated() {
        let value = fields.bytes[fields.valueRange(at: index)]
        precondition(!field.name.contains("\n") && !value.contains(0x0A))
        precondition(value.first != 0x20 && value.first != 0x09 && value.last != 0x20 && value.last != 0x09)
        precondition(parser.headers.contains(field.name) || field.name.utf8.contains { $0 > 0x7F })
        _ = fields.isContradictory(field.name)
    }
    checkEditing(parser.headers)
}

/// Removing and setting a field touches no other.
private func checkEditing(_ headers: HeaderList) {
    guard let first = headers.first, headers.contains(first.name) else { return }
    var edited = headers
    edited.remove([first.name])
    precondition(!edited.contains(first.name))
    precondition(edited.count + headers.values(of: first.name).count == headers.count)
    edited[first.name] = "value"
    precondition(edited[first.name] == "value")
}
