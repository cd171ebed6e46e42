/// A value or none, one pointer wide: for what is large, and missing in most of those who could have it.
indirect enum Boxed<Value> {
    case none
    case some(Value)

    init(_ value: Value?) {
        self = value.map(Boxed.some) ?? .none
    }

    var value: Value? {
        guard case .some(let value) = self else { return nil }
        return value
    }

    var isEmpty: Bool {
        if case .none = self { true } else { false }
    }
}
