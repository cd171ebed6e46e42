import SiestaCore

/// The limit for the number of partial responses in one download. Pure.
///
/// The server decides which part of a requested range it sends (RFC 9110 §15.3.7). Without a limit, a server that sends
/// a single byte in each response causes as many requests as the file has bytes.
struct DownloadBudget: Sendable {
    /// The number of responses that ended before the file was complete.
    private(set) var steps = 0
    private var bytes: Int64 = 0

    /// The number of responses of any size that are allowed.
    static let freeSteps: Int64 = 16
    /// The number of bytes after which one more response is allowed.
    static let bytesPerStep: Int64 = 64 << 10
    /// The maximum number of responses of any size.
    static let stepLimit = 10_000

    /// Counts a response with `count` bytes. Returns true if another request may follow.
    mutating func allowsStep(after count: Int64) -> Bool {
        steps += 1
        bytes += count
        return count > 0 && steps < Self.stepLimit && Int64(steps) < Self.freeSteps + bytes / Self.bytesPerStep
    }
}
