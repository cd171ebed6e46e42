// Removes modules from a manifest, with the targets of tests and of examples.
// Usage: swift without.swift MANIFEST MODULE...
import Foundation

let manifest = URL(fileURLWithPath: CommandLine.arguments[1])
let gone = Set(CommandLine.arguments.dropFirst(2))
let text = try String(contentsOf: manifest, encoding: .utf8)
var kept: [Substring] = []
var element: [Substring] = []
var depth = 0
for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    let starts = [".target(", ".testTarget(", ".executableTarget(", ".library("].contains {
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
    let isTest = declaration.contains("path: \"") || declaration.contains(".testTarget(")
    if !isTest && !gone.contains(String(name)) || name == "LoopbackServer" || name == "Waiting" { kept += element }
    element = []
}
var result = kept.joined(separator: "\n")
for name in gone {
    for item in ["\"\(name)\", ", "\"\(name)\",\n", ", \"\(name)\"", "\"\(name)\""] {
        result = result.replacing(item, with: item.hasSuffix("\n") ? "\n" : "")
    }
}
try Data(result.utf8).write(to: manifest)
