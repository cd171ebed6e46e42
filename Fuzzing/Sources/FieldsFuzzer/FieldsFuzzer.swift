import Foundation
import FuzzDriver
import HTTPRules

@testable import CurlTransport
@testable import SiestaCore
@testable import SiestaNetworking

@main
struct FieldsFuzzer {
    static func main() {
        runFuzzer { fuzz($0, $1) }
    }
}

/// Takes each line of an input for a header field, `Set-Cookie` among them, and checks that no form of the list loses or
/// invents one.
private func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var list = HeaderList()
    for line in UnsafeBufferPointer(start: bytes, count: count).split(separator: 0x0A) {
        let parts = line.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].first == 0x40 ? Array("Set-Cookie".utf8) : Array(parts[0])
        list.append(name, parts[parts.count - 1])
    }
    check(list)
    checkFields(list)
    let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    checkLinks(text)
    checkStructuredFields(text)
    return 0
}

/// Takes the input for a Structured Field of each type. The text of a parsed value is parsed to an equal value, whose
/// text is the same.
private func checkStructuredFields(_ text: String) {
    if let list = StructuredField.list(text), !list.isEmpty {
        let written = StructuredField.text(of: list)
        let again = written.flatMap { StructuredField.list($0) }
        precondition(again == list && again.flatMap { StructuredField.text(of: $0) } == written)
    }
    if let dictionary = StructuredField.dictionary(text), !dictionary.keys.isEmpty {
        let written = StructuredField.text(of: dictionary)
        let again = written.flatMap { StructuredField.dictionary($0) }
        precondition(again == dictionary && again.flatMap { StructuredField.text(of: $0) } == written)
        precondition(Set(dictionary.keys).count == dictionary.keys.count)
    }
    if let item = StructuredField.item(text) {
        let written = StructuredField.text(of: item)
        precondition(written.flatMap { StructuredField.item($0) } == item)
        precondition(StructuredField.list(text) == [.item(item)])  // An item is also a list with one member.
    }
}

/// Takes the input for a `Link` field. No link contains more text than the field.
private func checkLinks(_ text: String) {
    let links = LinkField(text).links
    let sizes = links.map { link in
        link.target.utf8.count + link.parameters.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }
    precondition(sizes.reduce(0, +) <= text.utf8.count * 3)  // A replacement character has three bytes.
    precondition(links.flatMap(\.relations).allSatisfy { !$0.isEmpty && $0 == $0.lowercased() })
}

private func check(_ list: HeaderList) {
    let combined = list.combined
    precondition(Set(combined.map { $0.name.lowercased() }).count == combined.count)
    let text = combined.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    precondition(text <= list.fields.bytes.count * 3 + list.count * 2)  // Latin-1 doubles, replacement triples
    for name in Set(list.map(\.name)) {
        var rest = list
        rest.remove { $0 == name }
        precondition(rest.count + list.count(where: { $0.name == name }) == list.count)
        precondition(rest.elementsEqual(list.filter { $0.name != name }))
    }
    let cookies = list.filter { $0.name.utf8.count == 10 && $0.name.lowercased() == "set-cookie" }
    precondition(list.values(of: "Set-Cookie") == cookies.map(\.value))
    precondition(list["set-cookie"] == cookies.first?.value)
}

/// The forms in which an app sees the fields.
private func checkFields(_ list: HeaderList) {
    let fields = HeaderFields(list.fields)
    let dictionary = fields.dictionary
    precondition(dictionary.keys.allSatisfy { $0 == $0.lowercased() })
    precondition(dictionary == Dictionary(list.combined.map { ($0.name.lowercased(), $0.value) }) { first, _ in first })
    for field in list where field.name.utf8.allSatisfy({ $0 < 0x80 }) {
        let values = list.values(of: field.name)
        let joined = field.name.lowercased() == "set-cookie" ? values.first : values.joined(separator: ", ")
        precondition(fields[field.name] == joined && list[field.name] == joined)
    }
    precondition(HeaderFields(dictionary).dictionary == dictionary)
}
