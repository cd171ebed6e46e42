import Foundation

/// The origin of data that the app pushes while the observers and the hooks of a load run: the data is a part of the
/// response to this load, and is as old as the load.
@MainActor
enum PushOrigin {
    /// The monotonic time at which the load began, in seconds; nil if no hooks of a load run.
    static var begin: TimeInterval?

    /// Runs the hooks of a request. If it is a load, it sets ``begin``.
    @inline(__always)
    static func whileRunningHooks(_ body: () -> Void) {
        let outer = begin
        body()
        begin = outer
    }
}
