import SiestaCore
import SiestaJSON
import SiestaWriting

/// JSON values that a seed determines.
struct RandomJSON {
    private var state: UInt64

    init(seed: UInt64) { state = (seed &+ 1) &* 0xD134_2543_DE82_EF95 }

    /// Returns the next number of a sequence that the seed determines (SplitMix64).
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// Returns a byte that often occurs in JSON.
    mutating func byte() -> UInt8 {
        let bytes = Array("[]{},:\"\\0123456789.eE+-truefalsn \u{1}é".utf8)
        return bytes[number(0...bytes.count - 1)]
    }

    mutating func scalar() -> JSONValue {
        switch number(0...6) {
        case 0: return .null
        case 1: return .bool(next() % 2 == 0)
        case 2: return .number(.init(Double(number(-999...999)) / 8) ?? .init(Int64(0)))
        case 3: return .number(.init(Int64(bitPattern: next())))
        case 4: return .string(["", "é", "a\"b\\", "\u{0}\n", "😀/~"][number(0...4)])
        default: return .number(.init(Int64(number(0...3))))
        }
    }

    mutating func value(depth: Int) -> JSONValue {
        switch depth > 0 ? number(0...5) : 0 {
        case 1...2: return .object(members(depth: depth))
        case 3: return .array((0..<number(0...3)).map { _ in value(depth: depth - 1) })
        case 4...5: return .array(shuffledIDs().map { element(id: $0, depth: depth) })
        default: return scalar()
        }
    }

    private mutating func members(depth: Int) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for _ in 0..<number(0...4) {
            members[["a", "b", "c", "d/~e", "é", ""][number(0...5)]] = value(depth: depth - 1)
        }
        return members
    }

    private mutating func element(id: Int, depth: Int) -> JSONValue {
        var members = members(depth: depth)
        members["id"] = id % 2 == 0 ? .number(.init(Int64(id))) : .string("id\(id)")
        return .object(members)
    }

    private mutating func shuffledIDs() -> [Int] {
        var ids = (0..<8).filter { _ in next() % 2 == 0 }
        for index in ids.indices { ids.swapAt(index, number(index...ids.count - 1)) }
        return ids
    }

    /// Returns a value with a few changes inside.
    mutating func edited(_ value: JSONValue) -> JSONValue {
        guard number(0...9) > 0 else { return self.value(depth: 2) }
        switch value {
        case .object(let members): return .object(edited(members))
        case .array(let elements): return .array(edited(elements))
        default: return number(0...2) == 0 ? scalar() : value
        }
    }

    private mutating func edited(_ members: [String: JSONValue]) -> [String: JSONValue] {
        var edited = members
        for name in members.keys.sorted() where name != "id" {
            switch number(0...5) {
            case 0: edited[name] = nil
            case 1...2: edited[name] = self.edited(edited[name] ?? .null)
            default: continue
            }
        }
        if number(0...3) == 0 { edited["n\(number(0...3))"] = value(depth: 1) }
        return edited
    }

    private mutating func edited(_ elements: [JSONValue]) -> [JSONValue] {
        var edited = elements.map { number(0...3) == 0 ? self.edited($0) : $0 }
        if !edited.isEmpty, number(0...3) == 0 { edited.remove(at: number(0...edited.count - 1)) }
        if edited.count > 1, number(0...3) == 0 {
            edited.swapAt(number(0...edited.count - 1), number(0...edited.count - 1))
        }
        if number(0...2) == 0 {
            edited.insert(element(id: number(8...40), depth: 1), at: number(0...edited.count))
        }
        return edited
    }
}
