// Counts the public declarations of a symbol graph that have a doc comment. Fails if they are less than 97 %. The initializer of
// a nested type counts as documented: it only sets the properties, and the comments of the type and its properties describe it.
// Usage: swift documented.swift GRAPH
import Foundation

struct Graph: Decodable {
    struct Symbol: Decodable {
        struct Identifier: Decodable { let precise: String }
        struct Comment: Decodable {}
        struct Kind: Decodable { let identifier: String }
        let identifier: Identifier
        let pathComponents: [String]
        let accessLevel: String
        let docComment: Comment?
        let kind: Kind

        /// False for declarations that the compiler adds, such as `!=`, which nobody can document.
        var isWritten: Bool { !identifier.precise.contains("::SYNTHESIZED::") }
        var isDocumented: Bool { docComment != nil || kind.identifier == "swift.init" && pathComponents.count > 2 }
        var isPublic: Bool { ["public", "open"].contains(accessLevel) }
    }
    let symbols: [Symbol]
}

let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1])))
let declarations = graph.symbols.filter { $0.isPublic && $0.isWritten }
let bare = declarations.filter { !$0.isDocumented }
let share = Double(declarations.count - bare.count) / Double(max(declarations.count, 1))
for symbol in bare { print("not documented:", symbol.pathComponents.joined(separator: ".")) }
print("\(declarations.count) public declarations, \(Int(share * 1000)) of 1000 documented.")
exit(share >= 0.97 && !declarations.isEmpty ? 0 : 1)
