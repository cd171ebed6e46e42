// Compares the declarations of modules, as symbol graphs describe them, with a list of signatures that Apple documents.
// Usage: swift signatures.swift MANIFEST LIST GRAPH...
//        swift signatures.swift --print GRAPH...
//        swift signatures.swift --sdk LIST GRAPH...
//
// The first form fails if a module has a declaration that LIST does not contain, or if a declaration is not available on a
// system and version that the package MANIFEST supports. The second form prints the declarations in the form of a list. The
// third form needs graphs of a real SDK, and fails if the SDK does not have a signature of LIST.
//
// A list has the name of a type at the beginning of a line, and below it, indented, the declaration of the type and of its
// members. `Module` stands for declarations outside types. A line has the access level and the declaration, and may have:
//   ?                at its beginning: the author of the list is not sure; the reason is a comment above
//   +                at its beginning: only the stand-in has it; the reason is a comment above
//   | iOS 13.0       at its end: the versions that introduced the declaration; if missing, those of the type
//   | only iOS 13.0  the same, for a declaration that other systems do not have
//   = text           on the next line: the stand-in differs on purpose; the reason is a comment above
import Foundation

struct Graph: Decodable {
    struct Symbol: Decodable {
        struct Identifier: Decodable { let precise: String }
        struct Kind: Decodable { let identifier: String }
        struct Fragment: Decodable { let spelling: String }
        let identifier: Identifier
        let kind: Kind
        let pathComponents: [String]
        let accessLevel: String
        let declarationFragments: [Fragment]?
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

struct Found: Hashable {
    let type: String
    let text: String
}

struct Listed {
    let type: String
    let documented: String
    var standIn: String
    let versions: [String: [Int]]
    /// True if the declaration need not exist on systems without a version.
    let isLimited: Bool
    /// True if Apple does not document it.
    let isExtra: Bool
    let line: Int
}

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(1)
}

/// One space between words, without attributes that do not change how a declaration is used.
func normalized(_ text: String) -> String {
    var text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for attribute in ["@frozen ", "@inlinable ", "override ", "required ", "nonisolated(unsafe) "] { text = text.replacingOccurrences(of: attribute, with: "") }
    text = text.replacingOccurrences(of: " { get set }", with: "")
    return text.replacingOccurrences(of: "@MainActor @Sendable", with: "@MainActor")
}

/// Superclasses, and the conformances on which code relies.
let shown: Set = ["Sendable", "View", "ViewModifier", "DynamicProperty", "OptionSet", "RawRepresentable", "Hashable", "Equatable"]
let implying = ["OptionSet": ["RawRepresentable", "Equatable"], "Hashable": ["Equatable"], "View": [], "Sendable": []]

/// Members that follow from conformances.
let implied: Set = ["init(rawValue:)", "rawValue", "Body", "hash(into:)", "==(_:_:)"]

func declarations(_ files: [String]) throws -> [Found] {
    var found: [Found] = []
    for file in files {
        let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
        let names = Dictionary(graph.symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) }) { $1 }
        for symbol in graph.symbols {
            let last = symbol.pathComponents.last!
            guard !symbol.identifier.precise.contains("::SYNTHESIZED::"), !implied.contains(last) else { continue }
            var text = normalized("\(symbol.accessLevel) \((symbol.declarationFragments ?? []).map(\.spelling).joined())")
            let isType = ["swift.class", "swift.struct", "swift.enum", "swift.protocol"].contains(symbol.kind.identifier)
            if isType {
                text = heading(text, symbol, graph, names)
            }
            let type = isType ? symbol.pathComponents : symbol.pathComponents.dropLast()
            found.append(Found(type: type.isEmpty ? "Module" : type.joined(separator: "."), text: text))
        }
    }
    return found
}

/// The declaration of a type with its superclass and its conformances, in the order of their names.
func heading(_ text: String, _ symbol: Graph.Symbol, _ graph: Graph, _ names: [String: String]) -> String {
    let own = graph.relationships.filter { $0.source == symbol.identifier.precise }
    func name(_ relationship: Graph.Relationship) -> String? {
        names[relationship.target] ?? relationship.targetFallback.map { String($0.split(separator: ".").last!) }
    }
    let parents = own.filter { $0.kind == "inheritsFrom" }.compactMap(name)
    var conformances = Set(own.filter { $0.kind == "conformsTo" }.compactMap(name)).intersection(shown)
    for name in conformances { conformances.subtract(implying[name] ?? []) }
    if text.contains("@MainActor") { conformances.remove("Sendable") }
    if !parents.isEmpty { conformances.subtract(["Hashable", "Equatable"]) }
    let all = parents + conformances.sorted()
    guard !all.isEmpty else { return text }
    let parts = text.components(separatedBy: " where ")
    return "\(parts[0]) : \(all.joined(separator: ", "))" + (parts.count > 1 ? " where \(parts[1])" : "")
}

func versions(_ text: String) -> [String: [Int]] {
    var versions: [String: [Int]] = [:]
    for entry in text.replacingOccurrences(of: "only ", with: "").split(separator: ",") {
        let words = entry.split(separator: " ")
        if words.count == 2 { versions[String(words[0])] = words[1].split(separator: ".").compactMap { Int($0) } }
    }
    return versions
}

/// Returns the lines of a list, and the systems on which its declarations must be available.
func read(_ list: String) throws -> (systems: [String], lines: [Listed]) {
    var (systems, lines): ([String], [Listed]) = ([], [])
    var (type, inherited) = ("", [String: [String: [Int]]]())
    for (number, line) in try String(contentsOfFile: list, encoding: .utf8).components(separatedBy: "\n").enumerated() {
        let text = line.trimmingCharacters(in: .whitespaces)
        if text.isEmpty || text.hasPrefix("#") { continue }
        if text.hasPrefix("systems: ") {
            systems = text.dropFirst(9).split(separator: " ").map(String.init)
        } else if !line.hasPrefix(" ") {
            type = text
        } else if text.hasPrefix("= ") {
            lines[lines.count - 1].standIn = normalized(String(text.dropFirst(2)))
        } else {
            let parts = text.components(separatedBy: " | ")
            let isMarked = parts[0].hasPrefix("? ") || parts[0].hasPrefix("+ ")
            let declaration = normalized(isMarked ? String(parts[0].dropFirst(2)) : parts[0])
            let outer = type.split(separator: ".").dropLast().joined(separator: ".")
            let own = parts.count > 1 ? versions(parts[1]) : inherited[type] ?? inherited[outer] ?? [:]
            if inherited[type] == nil { inherited[type] = own }
            lines.append(
                Listed(
                    type: type, documented: declaration, standIn: declaration, versions: own,
                    isLimited: parts.count > 1 && parts[1].hasPrefix("only "), isExtra: parts[0].hasPrefix("+ "),
                    line: number + 1))
        }
    }
    return (systems, lines)
}

/// The oldest versions that the package supports.
func supported(_ manifest: String) throws -> [String: [Int]] {
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    let entries = text.matches(of: #/\.(macOS|iOS|tvOS|watchOS|visionOS)\(\.v([0-9_]+)\)/#)
    return Dictionary(entries.map { (String($0.1), $0.2.split(separator: "_").compactMap { Int($0) }) }) { $1 }
}

var arguments = Array(CommandLine.arguments.dropFirst())
let graphs = arguments.filter { $0.hasSuffix(".json") }
switch arguments[0] {
case "--print":
    let found = try declarations(graphs)
    for type in Set(found.map(\.type)).sorted() {
        print(type)
        for declaration in found where declaration.type == type { print("    \(declaration.text)") }
    }
case "--sdk":
    let found = Set(try declarations(graphs))
    let missing = try read(arguments[1]).lines.filter { !$0.isExtra && !found.contains(Found(type: $0.type, text: $0.documented)) }
    for line in missing { print("\(arguments[1]):\(line.line): not in the SDK: \(line.type): \(line.documented)") }
    exit(missing.isEmpty ? 0 : 1)
default:
    let (oldest, list) = (try supported(arguments[0]), arguments[1])
    let (systems, lines) = try read(list)
    guard !systems.isEmpty, !lines.isEmpty else { fail("\(list): no systems, or no signatures") }
    var problems: [String] = []
    let known = Dictionary(lines.map { (Found(type: $0.type, text: $0.standIn), $0) }) { first, _ in first }
    let found = Set(try declarations(graphs))
    if found.isEmpty { problems.append("\(list): no declarations in \(graphs)") }
    for declaration in found where known[declaration] == nil {
        problems.append("\(list): not documented like this: \(declaration.type): \(declaration.text)")
    }
    for (declaration, line) in known where found.contains(declaration) {
        if line.isExtra { continue }
        for system in systems where !line.isLimited || line.versions[system] != nil {
            guard let version = line.versions[system], let minimum = oldest[system],
                !minimum.lexicographicallyPrecedes(version)
            else {
                problems.append("\(list):\(line.line): not in the oldest supported \(system): \(line.standIn)")
                continue
            }
        }
    }
    for (declaration, line) in known where !found.contains(declaration) {
        problems.append("\(list):\(line.line): not in the stand-in: \(line.standIn)")
    }
    if !problems.isEmpty { fail(problems.sorted().joined(separator: "\n")) }
    print("\(list): \(found.count) declarations")
}
