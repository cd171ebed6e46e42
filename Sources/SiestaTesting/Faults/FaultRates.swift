/// The frequency and the size of each kind of fault of a ``FaultyNetwork``.
///
/// A rate is a probability from 0 to 1. Each rate applies to each request independently. However, a request gets at
/// most one of the faults ``burst``, ``lostRequest``, ``lostResponse``, ``cutBody`` and ``wrongLength``. If several of
/// them would apply, only the first one in this order does.
public struct FaultRates: Equatable, Sendable {
    /// The probability that a request is delayed before it is sent. With the same probability, its response is delayed
    /// after it has arrived, and so is each piece of an event stream. These delays are independent of each other. The
    /// default is 0.
    public var delay = 0.0
    /// The duration of a delay in seconds. The default is 0.05 to 3.
    public var delaySeconds = 0.05...3.0

    /// The probability that a request is lost before the server receives it. The default is 0.
    public var lostRequest = 0.0
    /// The probability that a response is lost after the server has received the request. The default is 0.
    public var lostResponse = 0.0
    /// The time, in seconds, after which a lost exchange fails with `URLError.timedOut`. If the `timeoutInterval` of
    /// the request is shorter, the `timeoutInterval` applies. The default is 10.
    ///
    /// Half of the lost exchanges fail in this way. The others fail at once with `URLError.networkConnectionLost`.
    public var timeoutSeconds = 10.0

    /// The probability that the body of a response is cut off. The default is 0.
    ///
    /// The response has no `Content-Length`, so that the client cannot detect that the body is incomplete. However, a
    /// response that is read while it arrives ends with `URLError.networkConnectionLost`. An event stream is cut off
    /// within its first 4096 bytes.
    public var cutBody = 0.0
    /// The probability that the body of a response is longer or shorter than its `Content-Length`. The provider does
    /// not report the difference as an error. The default is 0.
    public var wrongLength = 0.0

    /// The probability that the server receives a request twice. The response to the second copy is ignored. The
    /// default is 0.
    public var duplicate = 0.0

    /// The probability that a response is held back until the response to another request has arrived. The default is
    /// 0.
    public var reorder = 0.0
    /// The maximum time in seconds for which a response is held back. The default is 1.
    public var reorderSeconds = 1.0

    /// The probability that a request begins a burst. In a burst, this request and the next requests with the same
    /// method and URL fail with status 500, 502, 503 or 504. Half of these responses have a `Retry-After`. The server
    /// does not receive these requests. The default is 0.
    public var burst = 0.0
    /// The number of requests in a burst. The maximum is 32. The default is 1 to 4.
    public var burstLength = 1...4

    /// Creates rates at which no faults occur: all probabilities are 0.
    public init() {}

    /// No faults.
    public static let none = FaultRates()

    /// The faults of a slow mobile network: many delays, some losses, a few server errors, and no damaged bodies.
    public static let mild: FaultRates = {
        var rates = FaultRates()
        (rates.delay, rates.reorder, rates.duplicate) = (0.3, 0.1, 0.01)
        (rates.lostRequest, rates.lostResponse, rates.burst) = (0.03, 0.03, 0.02)
        return rates
    }()

    /// All faults, each at such a high rate that even a short run contains them in many combinations.
    public static let severe: FaultRates = {
        var rates = FaultRates()
        (rates.delay, rates.reorder, rates.duplicate) = (0.4, 0.3, 0.1)
        (rates.lostRequest, rates.lostResponse, rates.burst) = (0.1, 0.1, 0.08)
        (rates.cutBody, rates.wrongLength) = (0.08, 0.08)
        return rates
    }()
}
