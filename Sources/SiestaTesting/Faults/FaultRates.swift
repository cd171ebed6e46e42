/// The frequency and the size of each kind of fault of a ``FaultyNetwork``.
///
/// A rate is a probability from 0 to 1. Each rate applies to each request independently. If several faults would
/// replace the response of one request, the first of the following applies: ``burst``, ``lostRequest``,
/// ``lostResponse``, ``cutBody``, ``wrongLength``.
public struct FaultRates: Equatable, Sendable {
    /// The probability that a request is delayed before it is sent. With the same probability, its response is delayed
    /// after it has arrived. In an event stream, each piece is delayed with this probability. Each of these decisions
    /// is independent. The default is 0.
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
    /// Half of the lost exchanges fail in this way. The other half fails at once with `URLError.networkConnectionLost`.
    public var timeoutSeconds = 10.0

    /// The probability that the body of a response is cut. The default is 0.
    ///
    /// The response has no `Content-Length`, so that the client cannot detect the incomplete body. There is one
    /// exception: a response that is read while it arrives ends with `URLError.networkConnectionLost`. An event stream
    /// is cut within its first 4096 bytes.
    public var cutBody = 0.0
    /// The probability that the body of a response is longer or shorter than its `Content-Length`, and that the
    /// provider does not report the difference. The default is 0.
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
    /// method and URL get a status from 500 to 504. Half of these responses have a `Retry-After`. The server does not
    /// receive these requests. The default is 0.
    public var burst = 0.0
    /// The number of requests in a burst. The maximum is 32. The default is 1 to 4.
    public var burstLength = 1...4

    /// Creates rates of 0.
    public init() {}

    /// No faults.
    public static let none = FaultRates()

    /// The faults of a slow mobile network: many delays, some losses, few errors of the server, and no damaged bodies.
    public static let mild: FaultRates = {
        var rates = FaultRates()
        (rates.delay, rates.reorder, rates.duplicate) = (0.3, 0.1, 0.01)
        (rates.lostRequest, rates.lostResponse, rates.burst) = (0.03, 0.03, 0.02)
        return rates
    }()

    /// All faults. Each fault occurs so often that, in a short run, it coincides with each other fault.
    public static let severe: FaultRates = {
        var rates = FaultRates()
        (rates.delay, rates.reorder, rates.duplicate) = (0.4, 0.3, 0.1)
        (rates.lostRequest, rates.lostResponse, rates.burst) = (0.1, 0.1, 0.08)
        (rates.cutBody, rates.wrongLength) = (0.08, 0.08)
        return rates
    }()
}
