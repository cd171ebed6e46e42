/// Carries a value across threads that the compiler cannot know to be safe there: the one such wrapper of the library.
///
/// What it is for is `Entity<Any>`, whose content is whatever the app's transformers made of a response. This is sound
/// as long as the content is not mutated once a transformer has returned it: the pipeline hands a response on and
/// forgets it, and from then on everybody, on any thread, only reads. Content that is a mutable class instance is the
/// app's to guard.
package struct UncheckedTransfer<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}
