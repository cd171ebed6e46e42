/// Runs what chains do when requests start, complete and are cancelled, which may make other chains do the same.
///
/// The stack is finite, and chains may be of any length: in the depth, work waits for the main queue's next turn.
@MainActor
enum NestedWork {
    private static let limit = 50
    private static var depth = 0

    static func run(_ work: @escaping () -> Void) {
        guard depth >= limit else {
            depth += 1
            defer { depth -= 1 }
            return work()
        }
        let clock = SiestaClock.current
        MainQueue.async { clock.whileCurrent { run(work) } }
    }
}
