import Foundation

/// One part of a profile by callgrind: what was executed between two dumps, function by function.
public struct CallgrindPart: Sendable {
    /// What made callgrind write the part, such as `--dump-before=counted_region_ends`.
    public let trigger: String
    /// The place of the part among all of its process.
    public let number: Int
    /// Instructions that each function executed itself, without what it called; by the symbol's name.
    public let selfCosts: [String: Double]

    /// Instructions of the whole part, all threads together.
    public var instructions: Double { selfCosts.values.reduce(0, +) }

    /// Reads a part in callgrind's format, which its manual describes; nil if it is none.
    public init?(_ text: String) {
        var (trigger, number, skipsCost, function) = ("", 0, false, "")
        var names: [Substring: String] = [:]
        var costs: [String: Double] = [:]
        for line in text.split(separator: "\n") {
            if line.hasPrefix("fn=") {
                function = Self.name(line.dropFirst(3), &names)
            } else if line.hasPrefix("cfn=") {
                _ = Self.name(line.dropFirst(4), &names)
            } else if line.hasPrefix("calls=") {
                skipsCost = true  // The next line holds the cost of what is called, which counts there.
            } else if line.first.map({ $0.isNumber || "+-*".contains($0) }) ?? false {
                if !skipsCost { costs[function, default: 0] += Self.cost(line) }
                skipsCost = false
            } else if line.hasPrefix("desc: Trigger: ") {
                trigger = String(line.dropFirst(15))
            } else if line.hasPrefix("part: ") {
                number = Int(line.dropFirst(6)) ?? 0
            }
        }
        guard number > 0 else { return nil }
        (self.trigger, self.number, selfCosts) = (trigger, number, costs)
    }

    /// The function that `(number) name` stands for: the name comes with the first use of its number.
    private static func name(_ reference: Substring, _ names: inout [Substring: String]) -> String {
        let number = reference.prefix { $0 != " " }
        if number.endIndex < reference.endIndex {
            let name = reference[reference.index(after: number.endIndex)...]
            names[number] = String(name.prefix { $0 != "'" })  // 'N marks a level of recursion.
        }
        return names[number] ?? String(number)
    }

    private static func cost(_ line: Substring) -> Double {
        line.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
    }
}
