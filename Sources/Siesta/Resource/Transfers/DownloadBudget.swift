/// How many partial responses one download may take. Pure.
///
/// A server decides how much of the missing range it sends (RFC 9110 §15.3.7). Without a limit, one that sends a byte at
/// a time causes as many requests as the file has bytes.
struct DownloadBudget: Sendable {
    /// The number of responses that ended before the file did.
    private(set) var steps = 0
    private var bytes: Int64 = 0

    /// The number of responses that may be of any size.
    static let freeSteps: Int64 = 16
    /// The number of bytes that pay for one more response.
    static let bytesPerStep: Int64 = 64 << 10
    /// The number of responses after which a download ends in any case.
    static let mostSteps = 10_000

    /// Counts a response that brought `count` bytes, and returns whether another request may follow.
    mutating func allowsStep(after count: Int64) -> Bool {
        steps += 1
        bytes += count
        return count > 0 && steps < Self.mostSteps && Int64(steps) < Self.freeSteps + bytes / Self.bytesPerStep
    }
}
