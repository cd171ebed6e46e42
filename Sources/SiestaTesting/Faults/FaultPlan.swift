import Foundation

/// The rule that decides which faults a request gets. Equal plans make equal decisions.
///
/// A decision depends only on the seed, the method, the URL, the number of earlier requests with the same method and
/// URL, and the rates. Therefore the decisions for a request do not depend on other requests. Changing one rate does
/// not change the faults of other kinds.
///
/// The random numbers come from ``SplitMix64``. The state of the generator begins as
/// `next(next(seed) ^ FNV-1a-64("METHOD URL")) ^ occurrence`. Regardless of the rates, each decision draws the same
/// random numbers in the same order. The delay of a piece of an event stream has a generator of its own, whose state
/// begins as `next(that state) ^ number of the piece`. The decision does not depend on the fragment of the URL. It also
/// does not depend on the port of a loopback address, because tests let the system choose the port.
package struct FaultPlan: Equatable, Sendable {
    /// The seed of all decisions.
    package var seed: UInt64
    /// The frequencies of the faults.
    package var rates: FaultRates

    /// Creates a plan.
    package init(seed: UInt64, rates: FaultRates = .mild) {
        (self.seed, self.rates) = (seed, rates)
    }

    /// Returns the decision for a request.
    ///
    /// - Parameters:
    ///   - method: The method in upper case.
    ///   - url: The absolute URL.
    ///   - occurrence: The number of the request among the requests with this method and URL, from 1.
    package func decision(method: String, url: String, occurrence: Int) -> FaultDecision {
        decision(for: Self.key(method: method, url: url), occurrence: occurrence)
    }

    func decision(for key: UInt64, occurrence: Int) -> FaultDecision {
        let draws = Draws(seed: seed, key: key, occurrence: occurrence)
        var decision = FaultDecision()
        if draws.requestDelay < rates.delay { decision.requestDelay = delay(draws.requestDelaySize) }
        if draws.responseDelay < rates.delay { decision.responseDelay = delay(draws.responseDelaySize) }
        decision.isDuplicated = draws.duplicate < rates.duplicate
        decision.isHeldBack = draws.reorder < rates.reorder
        decision.fault = fault(draws, isInBurst: isInBurst(key, occurrence))
        return decision
    }

    /// Returns the delay before a piece of an event stream is passed on, in seconds.
    ///
    /// - Parameter number: The number of the piece, from 1.
    func delay(ofPiece number: Int, for key: UInt64, occurrence: Int) -> TimeInterval {
        var generator = SplitMix64(seed: seed, parts: key, UInt64(bitPattern: Int64(occurrence)), UInt64(number))
        return generator.nextFraction() < rates.delay ? delay(generator.nextFraction()) : 0
    }

    private func fault(_ draws: Draws, isInBurst: Bool) -> FaultDecision.Fault? {
        if isInBurst { return .serverError(status: draws.status, retryAfter: draws.retryAfter) }
        if draws.lostRequest < rates.lostRequest { return .lostRequest(draws.loss) }
        if draws.lostResponse < rates.lostResponse { return .lostResponse(draws.loss) }
        if draws.cutBody < rates.cutBody { return .cutBody(keeping: draws.fraction) }
        return draws.wrongLength < rates.wrongLength ? .wrongLength(by: draws.difference) : nil
    }

    /// Returns true if this request or an earlier one has begun a burst that contains this request.
    private func isInBurst(_ key: UInt64, _ occurrence: Int) -> Bool {
        guard rates.burst > 0 else { return false }
        let lengths = min(rates.burstLength.lowerBound, 32)...min(rates.burstLength.upperBound, 32)
        for age in 0..<min(max(lengths.upperBound, 0), occurrence) {
            let draws = Draws(seed: seed, key: key, occurrence: occurrence - age)
            let length = lengths.lowerBound + Int(draws.burstLength * Double(lengths.count))
            if draws.burst < rates.burst, age < length { return true }
        }
        return false
    }

    private func delay(_ fraction: Double) -> TimeInterval {
        let (least, most) = (rates.delaySeconds.lowerBound, rates.delaySeconds.upperBound)
        let delay = least + fraction * (most - least)
        return delay.isFinite ? max(0, delay) : 0
    }

    // MARK: Keys

    /// Returns FNV-1a, 64 bits, of `"METHOD URL"`.
    static func key(method: String, url: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in (method + " " + comparedText(of: url)).utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return hash
    }

    /// Returns the URL without its fragment, and without the port of a loopback address.
    private static func comparedText(of url: String) -> String {
        let text = String(url.prefix { $0 != "#" })
        guard var parts = URLComponents(string: text), parts.port != nil,
            let host = parts.host, ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
        else { return text }
        parts.port = nil
        return parts.string ?? text
    }
}

/// The random numbers of one request. All are drawn, in this order, whether the rates need them or not.
private struct Draws {
    let requestDelay, requestDelaySize, responseDelay, responseDelaySize: Double
    let duplicate, reorder, burst, burstLength: Double
    let lostRequest, lostResponse, cutBody, wrongLength: Double
    let fraction: Double
    private let choice, choiceOfStatus: UInt64

    init(seed: UInt64, key: UInt64, occurrence: Int) {
        var generator = SplitMix64(seed: seed, parts: key, UInt64(bitPattern: Int64(occurrence)))
        requestDelay = generator.nextFraction()
        requestDelaySize = generator.nextFraction()
        responseDelay = generator.nextFraction()
        responseDelaySize = generator.nextFraction()
        duplicate = generator.nextFraction()
        reorder = generator.nextFraction()
        burst = generator.nextFraction()
        burstLength = generator.nextFraction()
        lostRequest = generator.nextFraction()
        lostResponse = generator.nextFraction()
        cutBody = generator.nextFraction()
        wrongLength = generator.nextFraction()
        fraction = generator.nextFraction()
        choice = generator.next()
        choiceOfStatus = generator.next()
    }

    var loss: FaultDecision.Loss { choice & 1 == 0 ? .timedOut : .connectionLost }
    var status: Int { [500, 502, 503, 504][Int(choiceOfStatus & 3)] }
    var retryAfter: Int? { choiceOfStatus & 4 == 0 ? nil : 1 + Int(choiceOfStatus >> 3 & 3) }
    var difference: Int { (choice & 1 == 0 ? 1 : -1) * (1 + Int(choice >> 1 & 15)) }
}
