/// An optional value one pointer wide, for large values that most owners do not have.
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
