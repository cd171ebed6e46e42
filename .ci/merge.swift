// Merges the symbol graphs of the modules that an app imports as one, so that their documentation is one archive in which all links work.
// Usage: swift merge.swift NAME FOLDER MODULE...
// Replaces the graphs of the modules in FOLDER by graphs of a module NAME.
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
let (name, folder, modules) = (arguments[0], URL(fileURLWithPath: arguments[1]), Set(arguments[2...]))
/// The graphs by the module whose types they extend; nil for types of the merged modules.
var merged: [String?: [String: Any]] = [:]
for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
    let parts = file.lastPathComponent.replacing(".symbols.json", with: "").split(separator: "@").map(String.init)
    guard modules.contains(parts[0]) else { continue }
    let extended = parts.count > 1 && !modules.contains(parts[1]) ? parts[1] : nil
    guard var graph = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] else { continue }
    if let known = merged[extended] {
        for key in ["symbols", "relationships"] {
            graph[key] = (known[key] as? [Any] ?? []) + (graph[key] as? [Any] ?? [])
        }
    }
    var module = graph["module"] as? [String: Any] ?? [:]
    module["name"] = name
    graph["module"] = module
    merged[extended] = graph
    try FileManager.default.removeItem(at: file)
}
for (extended, graph) in merged {
    let file = folder.appendingPathComponent(name + (extended.map { "@" + $0 } ?? "") + ".symbols.json")
    try JSONSerialization.data(withJSONObject: graph).write(to: file)
}
