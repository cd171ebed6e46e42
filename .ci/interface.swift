// Prints the public interface that symbol graphs describe: a sorted line for each declaration and each conformance.
// Usage: swift interface.swift LIST GRAPH...
// LIST is the list in use. A declaration that it marks with "1.5" keeps this mark, because Siesta 1.5 has promised it.
import Foundation

struct Graph: Decodable {
    struct Symbol: Decodable {
        struct Identifier: Decodable { let precise: String }
        struct Fragment: Decodable { let spelling: String }
        let identifier: Identifier
        let pathComponents: [String]
        let accessLevel: String
        let declarationFragments: [Fragment]?

        var isWritten: Bool { !identifier.precise.contains("::SYNTHESIZED::") }
        var isPublic: Bool { ["public", "open"].contains(accessLevel) }
        var path: String { pathComponents.joined(separator: ".") }
        var declaration: String {
            let text = (declarationFragments ?? []).map(\.spelling).joined()
            return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
    }
    struct Relationship: Decodable {
        let kind: String
        let source: String
        let target: String
        let targetFallback: String?
    }
    let symbols: [Symbol]
    let relationships: [Relationship]
}

/// Conformances that the compiler adds to nearly every type.
let implied: Set = ["Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"]

let arguments = CommandLine.arguments.dropFirst()
let list = (try? String(contentsOfFile: arguments.first!, encoding: .utf8)) ?? ""
let promised = Set(list.split(separator: "\n").filter { $0.hasPrefix("1.5 ") }.map { $0.dropFirst(4) })

var lines: Set<String> = []
for file in arguments.dropFirst() {
    let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    let module = file.split(separator: "/").last!.prefix { $0 != "." && $0 != "@" }
    let symbols = graph.symbols.filter { $0.isPublic && $0.isWritten }
    let names = Dictionary(graph.symbols.map { ($0.identifier.precise, $0.path) }) { first, _ in first }
    for symbol in symbols { lines.insert("\(module) \(symbol.path) | \(symbol.declaration)") }
    let own = Set(symbols.map(\.identifier.precise))
    for relationship in graph.relationships where relationship.kind == "conformsTo" && own.contains(relationship.source) {
        guard let name = names[relationship.target] ?? relationship.targetFallback, !implied.contains(name) else { continue }
        lines.insert("\(module) \(names[relationship.source]!): \(name)")
    }
}
for line in lines.sorted() { print(promised.contains(Substring(line)) ? "1.5 \(line)" : "    \(line)") }
