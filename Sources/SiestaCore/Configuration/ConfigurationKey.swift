/// A key that defines a custom option of a ``Configuration``.
///
/// To add an option, define a key with a default value, and a property of ``Configuration`` that reads and sets the
/// option:
///
///     struct LoadingTextKey: ConfigurationKey {
///         static let defaultValue = "Loading…"
///     }
///
///     extension Configuration {
///         var loadingText: String {
///             get { self[LoadingTextKey.self] }
///             set { self[LoadingTextKey.self] = newValue }
///         }
///     }
///
/// Rules set this option like any other option, and ``Resource/configuration`` contains its value. A configuration
/// stores only the options that rules set.
public protocol ConfigurationKey {
    /// The type of the option's value. The type need not be `Sendable`, because configurations stay on the main actor.
    associatedtype Value

    /// The value of the option if no rule sets it.
    static var defaultValue: Value { get }

    /// The name of the option in explanations; see ``Resource/explain()``. The default is the name of the type without
    /// `Key`, and with a lowercase first letter: `loadingText` for `LoadingTextKey`.
    static var name: String { get }

    /// Returns the text that explanations show for a value. The default implementation returns the description of the
    /// value. Implement this function if the description contains secrets.
    static func text(of value: Value) -> String
}

extension ConfigurationKey {
    /// The name of the type without `Key`, with a lowercase first letter.
    public static var name: String {
        let type = String(describing: Self.self)
        let name = type.hasSuffix("Key") && type.utf8.count > 3 ? type.dropLast(3) : type[...]
        return name.prefix(1).lowercased() + name.dropFirst()
    }

    /// Returns the description of the value.
    public static func text(of value: Value) -> String { String(describing: value) }
}

/// An option that was set, as explanations see it.
protocol SetOption: AnyObject {
    var name: String { get }
    var text: String { get }
    /// True if the option had another value in a configuration with these options.
    func differs(from options: [any SetOption]) -> Bool
    var key: any ConfigurationKey.Type { get }
}

/// The value of an option that was set.
final class OptionValue<Key: ConfigurationKey>: SetOption {
    let value: Key.Value

    init(_ value: Key.Value) {
        self.value = value
    }

    var key: any ConfigurationKey.Type { Key.self }
    var name: String { Key.name }
    var text: String { Key.text(of: value) }

    /// Compares with `==` if the values are equatable. Otherwise, each assignment counts as a change.
    func differs(from options: [any SetOption]) -> Bool {
        let old = options.lazy.compactMap { $0 as? OptionValue }.first
        guard old !== self else { return false }
        guard let value = value as? any Equatable else { return true }
        return !value.isEqual(to: old?.value ?? Key.defaultValue)
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { self == other as? Self }
}
