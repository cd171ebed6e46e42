#if canImport(SwiftUI)
/// An object that is created when it is first used.
///
/// SwiftUI evaluates the initial value of a `@State` property whenever the view is made anew, and drops all values but the
/// first. Therefore the initial value should cost little.
@MainActor
final class Kept<Object: AnyObject> {
    private var object: Object?

    nonisolated init() {}

    func value(_ create: () -> Object) -> Object {
        if let object { return object }
        let new = create()
        object = new
        return new
    }
}
#endif
