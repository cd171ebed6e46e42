// Removes modules from a manifest, and all targets whose folder has no sources.
// Usage: swift without.swift MANIFEST MODULE...
import Foundation

let manifest = URL(fileURLWithPath: CommandLine.arguments[1])
var gone = Set(CommandLine.arguments.dropFirst(2))
let text = try String(contentsOf: manifest, encoding: .utf8)
let root = manifest.deletingLastPathComponent()

/// Returns true if a folder contains a file of Swift or C, or the map of a module.
func hasSources(_ folder: String) -> Bool {
    let files = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    return files?.contains { ["swift", "c", "modulemap"].contains(($0 as? NSString)?.pathExtension ?? "") } ?? false
}

var kept: [Substring] = []
var element: [Substring] = []
var depth = 0
for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    let starts = [".target(", ".testTarget(", ".executableTarget(", ".library(", ".systemLibrary("].contains {
        line.trimmingPrefix { $0 == " " }.hasPrefix($0)
    }
    if element.isEmpty, !starts || !line.hasPrefix("    ") {
        kept.append(line)
        continue
    }
    element.append(line)
    depth += line.count { $0 == "(" } - line.count { $0 == ")" }
    guard depth == 0 else { continue }
    let declaration = element.joined(separator: "\n")
    let name = declaration.split(separator: "name: \"", maxSplits: 1).dropFirst().first?.prefix { $0 != "\"" } ?? ""
    let isProduct = declaration.contains(".library(")
    let folders = declaration.split(separator: "path: \"", maxSplits: 1).dropFirst().first.map { [String($0.prefix { $0 != "\"" })] }
    let isThere = (folders ?? ["Sources/\(name)", "Tests/\(name)"]).contains(where: hasSources)
    if isProduct ? !gone.contains(String(name)) : isThere { kept += element }
    if !isProduct, !isThere { gone.insert(String(name)) }
    element = []
}
var result = kept.joined(separator: "\n")
for name in gone {
    for item in ["\"\(name)\", ", "\"\(name)\",\n", ", \"\(name)\"", "\"\(name)\""] {
        result = result.replacing(item, with: item.hasSuffix("\n") ? "\n" : "")
    }
}
try Data(result.utf8).write(to: manifest)
