/// A value that no text shows: neither a description nor a mirror contains a part of it. Use it for the secrets and the
/// bodies in a type without a description of its own.
package struct Hidden<Value> {
    package var value: Value

    package init(_ value: Value) {
        self.value = value
    }
}

extension Hidden: Sendable where Value: Sendable {}

extension Hidden: Equatable where Value: Equatable {}

extension Hidden: Hashable where Value: Hashable {}

extension Hidden: CustomStringConvertible, CustomReflectable {
    package var description: String { "…" }

    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
