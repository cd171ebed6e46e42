/// A wrapper that makes a value `Sendable` without a check by the compiler. The library has no other wrapper of this
/// kind.
///
/// It exists for `Entity<Any>`, whose content can be any value that the app's transformers produce. This is safe if no
/// code mutates the content after a transformer has returned it. The pipeline passes the response on and keeps no
/// reference. After that, all threads only read the content. If the content is an instance of a mutable class, the app
/// is responsible for synchronising it.
@usableFromInline
package struct UncheckedSendable<Value>: @unchecked Sendable {  // sound: see above
    @usableFromInline package let value: Value

    @inlinable package init(_ value: Value) {
        self.value = value
    }
}
