import SiestaCore

/// The rule for sending one request again after the server has refused its credential. Pure.
struct Refusals {
    private var count: UInt8 = 0
    /// True if the request has waited for a refresh because of a refusal. It asks for no second one.
    private var hasAskedForRefresh = false

    init() {}

    /// Creates the value of ``bits``.
    init(bits: UInt8) {
        (count, hasAskedForRefresh) = (bits >> 1, bits & 1 != 0)
    }

    /// The value as a number.
    var bits: UInt8 { count << 1 | (hasAskedForRefresh ? 1 : 0) }

    /// Returns true if the request may be sent again.
    ///
    /// - Parameter isCurrent: true if no other credential has replaced the refused one.
    func allowsRepetition(isCurrent: Bool) -> Bool {
        count < SessionRules.repetitionLimit && (!isCurrent || !hasAskedForRefresh)
    }

    /// Notes a refusal after which the request is sent again.
    mutating func note(isCurrent: Bool) {
        count += 1
        if isCurrent { hasAskedForRefresh = true }
    }
}
