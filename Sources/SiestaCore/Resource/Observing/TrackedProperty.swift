import Observation

/// A property of a generic type that Observation can track.
///
/// The class itself is not generic: the runtime makes a key path of a generic type anew at each use, which takes 18 000
/// instructions, even if nothing tracks the property.
@MainActor
package final class TrackedProperty: nonisolated Observable {
    private let registrar = ObservationRegistrar()

    package init() {}

    /// Stands for the value, which the owner stores.
    private var value: Void { () }

    /// Tells Observation that code reads the property.
    package func access() { registrar.access(self, keyPath: \.value) }

    /// Tells Observation that the property is about to change. Runs code that tracks the property.
    package func willSet() { registrar.willSet(self, keyPath: \.value) }

    /// Tells Observation that the property has changed.
    package func didSet() { registrar.didSet(self, keyPath: \.value) }
}
