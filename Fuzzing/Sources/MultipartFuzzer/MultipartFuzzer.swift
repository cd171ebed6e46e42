import Foundation
import FuzzDriver

@testable import SiestaCore
@testable import SiestaNetworking
@testable import SiestaTransfers

@main
struct MultipartFuzzer {
    static func main() {
        runFuzzer { fuzz($0, $1) }
    }
}

/// Takes an input for the name, file name, content type, a header and the content of a part, with 0xFF between them, and
/// checks that the part is written with these headers and no others.
private func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let fields = UnsafeBufferPointer(start: bytes, count: count)
        .split(separator: 0xFF, maxSplits: 5, omittingEmptySubsequences: false).map { Array($0) }
    guard fields.count == 6 else { return 0 }
    let texts = fields.map { String(decoding: $0, as: UTF8.self) }
    let part = MultipartForm.Part(
        name: texts[0], content: .data(Data(fields[5])), fileName: texts[1].isEmpty ? nil : texts[1],
        contentType: texts[2].isEmpty ? nil : texts[2], headers: texts[3].isEmpty ? [:] : [texts[3]: texts[4]])
    var form = MultipartForm(boundary: "boundary")
    form.append(part)
    do {
        check(try form.encoded(), part, content: fields[5])
    } catch let failure as RequestError.Failure where failure.code == .unencodableBody {
        precondition(part.contentType.map { !isValue($0) } ?? false || part.headers.contains { !isHeader($0, $1) })
    } catch {
        fatalError("\(error)")
    }
    return 0
}

private func check(_ body: SegmentedBody, _ part: MultipartForm.Part, content: [UInt8]) {
    guard body.segments.count == 1, case .bytes(let data) = body.segments[0] else { fatalError("Not in memory") }
    let end = Array("\r\n--boundary--\r\n".utf8)
    let bytes = Array(data)
    precondition(bytes.suffix(end.count) == end[...] && bytes.dropLast(end.count).suffix(content.count) == content[...])
    let head = bytes.dropLast(end.count + content.count)
    let lines = texts(of: head, separatedBy: Array("\r\n".utf8))
    precondition(lines.allSatisfy(isValue) && lines[0] == "--boundary" && lines.suffix(2) == ["", ""])
    let expected = (part.contentType.map { ["Content-Type: \($0)"] } ?? []) + part.headers.map { "\($0): \($1)" }
    precondition(Array(lines.dropFirst(2).dropLast(2)) == expected)
    let quoted = texts(of: lines[1].utf8, separatedBy: Array("\"".utf8))
    precondition(quoted.first == "Content-Disposition: form-data; name=" && quoted.last == "")
    precondition(part.fileName == nil ? quoted.count == 3 : quoted.count == 5 && quoted[2] == "; filename=")
}

/// Byte for byte: in a `String`, a quotation mark before a combining character is another character.
private func texts(of bytes: some Collection<UInt8>, separatedBy separator: [UInt8]) -> [String] {
    var (result, present) = ([String](), [UInt8]())
    for byte in bytes {
        present.append(byte)
        guard present.suffix(separator.count) == separator[...] else { continue }
        result.append(String(decoding: present.dropLast(separator.count), as: UTF8.self))
        present = []
    }
    return result + [String(decoding: present, as: UTF8.self)]
}

/// Whether nothing in a text can end a line: written once more, so that it is not the form's own word for it.
private func isValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
}

private func isHeader(_ name: String, _ value: String) -> Bool {
    let reserved = ["content-disposition", "content-type"].contains(name.lowercased())
    let isToken =
        !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
    return !reserved && isToken && isValue(value)
}
