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
        /// The declaration. Whether a property that can be set is stored or computed makes no difference to code that uses it.
        var declaration: String {
            let text = (declarationFragments ?? []).map(\.spelling).joined()
            return text.split(whereSeparator: \.isWhitespace).joined(separator: " ").replacing(" { get set }", with: "")
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

/// Returns the names of types that other modules declare. `types` contains their precise identifiers.
func foreignNames(_ types: [String]) throws -> [String: String] {
    guard !types.isEmpty else { return [:] }
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swift", "demangle", "--compact", "--simplified"] + types.map { "$s" + $0.dropFirst(2) }
    process.standardOutput = output
    try process.run()
    let names = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(separator: "\n")
    process.waitUntilExit()
    guard process.terminationStatus == 0, names.count == types.count else { fatalError("swift demangle failed: \(types)") }
    return Dictionary(uniqueKeysWithValues: zip(types, names.map(String.init)))
}

let graphs = try arguments.dropFirst().map { file in
    let module = file.split(separator: "/").last!.prefix { $0 != "." && $0 != "@" }
    return (module, try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(fileURLWithPath: file))))
}
let allNames = Dictionary(graphs.flatMap { $0.1.symbols.map { ($0.identifier.precise, $0.path) } }) { first, _ in first }
let ownProtocols = Set(
    graphs.flatMap { $0.1.symbols }
        .filter { $0.isPublic && ($0.declarationFragments ?? []).contains { $0.spelling == "protocol" } }.map(\.identifier.precise))

/// True for the conformance of a type of another module to a protocol of this package.
func isForeign(_ relationship: Graph.Relationship) -> Bool {
    relationship.kind == "conformsTo" && allNames[relationship.source] == nil && ownProtocols.contains(relationship.target)
}
let foreign = Set(graphs.flatMap { $0.1.relationships }.filter(isForeign).map(\.source)).sorted()

/// The public declarations of all modules. A module may add conformances to the types of another one.
let own = Set(graphs.flatMap { $0.1.symbols.filter { $0.isPublic && $0.isWritten } }.map(\.identifier.precise))

var lines: Set<String> = []
let foreignTypes = try foreignNames(foreign)
for (module, graph) in graphs {
    let symbols = graph.symbols.filter { $0.isPublic && $0.isWritten }
    for symbol in symbols { lines.insert("\(module) \(symbol.path) | \(symbol.declaration)") }
    for relationship in graph.relationships where relationship.kind == "conformsTo" && own.contains(relationship.source) {
        guard let name = allNames[relationship.target] ?? relationship.targetFallback, !implied.contains(name) else { continue }
        lines.insert("\(module) \(allNames[relationship.source]!): \(name)")
    }
    for relationship in graph.relationships where isForeign(relationship) {
        lines.insert("\(module) \(foreignTypes[relationship.source]!): \(allNames[relationship.target]!)")
    }
}
for line in lines.sorted() { print(promised.contains(Substring(line)) ? "1.5 \(line)" : "    \(line)") }
