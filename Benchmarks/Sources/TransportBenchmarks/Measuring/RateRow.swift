#if os(Linux)
import Foundation
import Measuring

/// One client's way with one workload, measured in rounds that take turns with those of the others.
@MainActor
final class RateRow {
    let kind: ClientKind
    private let client: any Client
    private var requestsPerRound = 1
    private var requests = 0
    /// Nanoseconds for one request, of each round.
    private(set) var times: [Double] = []
    private var processorTimes: [Double] = []
    private var growth = 0.0

    init(_ kind: ClientKind, _ client: any Client) {
        self.kind = kind
        self.client = client
    }

    /// Opens connections, and finds out how many requests make a round.
    func warmUp(_ workload: Workload) async {
        await client.run(max(workload.inFlight, 1))
        let probe = workload.bytes > 1 << 20 ? 1 : 16 * workload.inFlight
        let before = ProcessUsage()
        await client.run(probe)
        let each = Double(ProcessUsage().time - before.time) / Double(probe)
        requestsPerRound = max(Int(Self.round / each), workload.bytes > 1 << 20 ? 1 : workload.inFlight)
        await client.run(requestsPerRound / 2 + 1)
    }

    func measureRound() async {
        let before = ProcessUsage()
        await client.run(requestsPerRound)
        let after = ProcessUsage()
        times.append(Double(after.time - before.time) / Double(requestsPerRound))
        processorTimes.append((after.processor - before.processor) / Double(requestsPerRound))
        growth += after.resident - before.resident
        requests += requestsPerRound
    }

    /// Nanoseconds for one request, when all is divided by their number.
    var time: Samples { Samples(times) }

    /// Nanoseconds of processor time for one request.
    var processorTime: Samples { Samples(processorTimes) }

    /// Bytes by which the process grew for each request.
    var growthPerRequest: Double { growth / Double(max(requests, 1)) }

    /// Nanoseconds that a round is meant to take.
    private static let round = 0.25e9
}
#endif
