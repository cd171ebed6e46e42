/// Runs the work of chains when requests start, complete and are cancelled. This work may start, complete or cancel
/// other chains.
///
/// Chains may be of any length, but the stack is finite: at a depth of 50 calls, the work is scheduled on the main
/// queue instead.
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
        MainQueue.async { clock.whileCalling { run(work) } }
    }
}
