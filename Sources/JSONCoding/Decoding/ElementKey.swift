#if os(Linux) || os(Android)
/// A key of a coding path that no type has declared. It has the texts of Foundation's own.
enum ElementKey: CodingKey {
    case name(String)
    case index(Int)
    case number(Int)

    init(stringValue: String) { self = .name(stringValue) }
    init(intValue: Int) { self = .number(intValue) }

    var stringValue: String {
        switch self {
        case .name(let name): name
        case .index(let index): "Index \(index)"
        case .number(let number): "\(number)"
        }
    }

    var intValue: Int? {
        switch self {
        case .name: nil
        case .index(let index): index
        case .number(let number): number
        }
    }

    var description: String {
        "_CodingKey(stringValue: \"\(stringValue)\", intValue: \(intValue.map { "\($0)" } ?? "nil"))"
    }

    var debugDescription: String { description }
}
#endif
