/// Carries a value across threads whose type the compiler cannot prove safe there. The only such wrapper of the
/// library.
///
/// It exists for `Entity<Any>`, whose content can be any value that the app's transformers produce. This is sound as
/// long as nothing mutates the content after a transformer has returned it. The pipeline passes the response on and
/// keeps no reference, and from then on all threads only read the content. If the content is an instance of a mutable
/// class, the app is responsible for synchronising it.
package struct UncheckedTransfer<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}
