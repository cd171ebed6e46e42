import Foundation

/// The origin of data that the app pushes while observers and hooks are told of other data: the pushed data is a part of
/// the other data, and is as old as that.
@MainActor
enum PushOrigin {
    /// The monotonic time at which the load of the other data began, in seconds. If the other data comes from a cache, or was
    /// pushed itself, its own time. Nil if nobody is being told of data.
    static var begin: TimeInterval?

    /// Runs the hooks of a request. If it is a load, it sets ``begin``.
    @inline(__always)
    static func whileRunningHooks(_ body: () -> Void) {
        let outer = begin
        body()
        begin = outer
    }
}
