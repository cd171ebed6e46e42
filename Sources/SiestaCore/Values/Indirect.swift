/// An optional value with the size of a pointer, for large values that are nil in most cases.
package indirect enum Indirect<Value> {
    case none
    case some(Value)

    init(_ value: Value?) {
        self = value.map(Indirect.some) ?? .none
    }

    package var value: Value? {
        guard case .some(let value) = self else { return nil }
        return value
    }

    var isEmpty: Bool {
        if case .none = self { true } else { false }
    }
}
