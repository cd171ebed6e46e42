import Foundation
import FuzzDriver
@testable import SiestaCore
import SiestaXML

@main
struct XMLFuzzer {
    static func main() {
        runFuzzer { fuzz($0, $1) }
    }
}

/// Takes the first byte of an input for the limits, and the other bytes for a document. A tree is within the limits, and
/// the document that is written from it has the same tree.
private func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    guard let first = input.first else { return 0 }
    var limits = XMLLimits()
    if first.isMultiple(of: 2) {
        (limits.maximumDepth, limits.maximumNodeCount, limits.maximumAttributeCount) = (3, 8, 2)
    }
    do throws(RequestError.Cause.InvalidXML) {
        let tree = try XMLTree(Data(input.dropFirst()), limits: limits)
        precondition(size(tree.root, depth: 1, limits) <= limits.maximumNodeCount)
        check(tree)
        decode(tree.root)
    } catch {
        precondition(error.line >= 0 && !"\(error)".isEmpty)
    }
    return 0
}

/// Returns the number of nodes. Checks the depth, the attributes and the texts.
private func size(_ element: XMLTree.Element, depth: Int, _ limits: XMLLimits) -> Int {
    precondition(depth <= limits.maximumDepth && element.attributes.count <= limits.maximumAttributeCount)
    precondition(Set(element.attributes.map(\.name)).count == element.attributes.count)
    var (count, isAfterText) = (1 + element.attributes.count, false)
    for child in element.children {
        switch child {
        case .text(let text):
            precondition(!text.isEmpty && !isAfterText)
            (count, isAfterText) = (count + 1, true)
        case .element(let element):
            count += size(element, depth: depth + 1, limits)
            isAfterText = false
        }
    }
    return count
}

private func check(_ tree: XMLTree) {
    let written = text(tree.root)
    var limits = XMLLimits()
    limits.maximumAttributeCount = .max  // The written document declares more namespaces.
    do throws(RequestError.Cause.InvalidXML) {
        let again = try XMLTree(Data(written.utf8), limits: limits)
        precondition(again == tree, "Another tree: \(written)")
    } catch {
        guard case .tooManyNamespaces = error.reason else { fatalError("\(error): \(written)") }
    }
}

/// Writes an element with a prefix for each name.
private func text(_ element: XMLTree.Element) -> String {
    var (declarations, attributes) = ("", "")
    for (index, attribute) in element.attributes.enumerated() {
        attributes += " " + name(attribute.name, "a\(index)", &declarations) + "=\"\(escaped(attribute.value))\""
    }
    let start = name(element.name, "e", &declarations)
    let children = element.children.map { child in
        switch child {
        case .text(let text): escaped(text)
        case .element(let element): text(element)
        }
    }
    return "<\(start)\(declarations)\(attributes)>\(children.joined())</\(start)>"
}

private func name(_ name: XMLTree.Name, _ prefix: String, _ declarations: inout String) -> String {
    guard let namespace = name.namespace else { return name.localName }
    if namespace == "http://www.w3.org/XML/1998/namespace" { return "xml:\(name.localName)" }
    declarations += " xmlns:\(prefix)=\"\(escaped(namespace))\""
    return "\(prefix):\(name.localName)"
}

private func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, character in
        switch character {
        case "<", "&", ">", "\"", "\r", "\n", "\t": result += "&#\(character.value);"
        default: result.unicodeScalars.append(character)
        }
    }
}

private struct Values: Decodable {
    var a: [String]
    var b: Int?
    var c: [Values]?
    var d: Date?
    var text: String

    enum CodingKeys: String, CodingKey {
        case a, c, d
        case b = "@b"
        case text = "#text"
    }
}

/// Decodes the document in several ways. Only crashes count.
private func decode(_ element: XMLTree.Element) {
    let decoder = XMLTreeDecoder()
    _ = try? decoder.decode(Values.self, from: element)
    _ = try? decoder.decode([String: [String]].self, from: element)
    _ = try? decoder.decode([[Double]].self, from: element)
    precondition((try? decoder.decode(String.self, from: element)) == element.stringValue || element.isNil)
}

extension XMLTree.Element {
    fileprivate var isNil: Bool { attribute("nil", namespace: "http://www.w3.org/2001/XMLSchema-instance") != nil }
}
