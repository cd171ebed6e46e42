import TestKit
import Testing
@testable import SiestaCore
@testable import SiestaNetworking

/// The estimate of a transfer's progress, without a transfer.
@Suite(.timeLimit(.test))
struct ProgressEstimateTests {
    /// The bytes that were transferred at a point in time.
    struct Sample {
        var time: Double
        var sent: Int64 = 0
        var toSend: Int64?
        var received: Int64 = 0
        var toReceive: Int64?
    }

    struct Transfer: CustomTestStringConvertible {
        let name: String
        let samples: [Sample]

        var testDescription: String { name }
    }

    static let transfers = [
        Transfer(name: "a download of known size", samples: download(total: 10_000)),
        Transfer(name: "a download of unknown size", samples: download(total: nil)),
        Transfer(
            name: "an upload of known size",
            samples: upload(total: 10_000) + [Sample(time: 12, sent: 10_000, toSend: 10_000, received: 5, toReceive: 5)]
        ),
        Transfer(name: "an upload of unknown size", samples: upload(total: nil)),
        Transfer(
            name: "a total that becomes known on the way",
            samples: [
                Sample(time: 0), Sample(time: 1, received: 4_000), Sample(time: 2, received: 5_000, toReceive: 6_000),
                Sample(time: 3, received: 6_000, toReceive: 6_000),
            ]),
        Transfer(
            name: "a total that is announced too small",
            samples: (0...10).map { Sample(time: Double($0), received: Int64($0) * 1_000, toReceive: 2_000) }),
        Transfer(
            name: "a total that changes",
            samples: (0...10).map {
                Sample(time: Double($0), received: Int64($0) * 100, toReceive: 10_000 - Int64($0) * 900)
            }),
        Transfer(
            name: "counts that go back, as after a redirect",
            samples: [
                Sample(time: 0, toSend: 100), Sample(time: 1, sent: 100, toSend: 100),
                Sample(time: 2, sent: 0, toSend: 100), Sample(time: 3, sent: 50, toSend: 100),
                Sample(time: 4, sent: 100, toSend: 100, received: 10, toReceive: 20),
                Sample(time: 5, sent: 0, toSend: nil, received: 5, toReceive: 10),
            ]),
        Transfer(
            name: "totals of −1 and 0",
            samples: [
                Sample(time: 0, toSend: -1, toReceive: -1), Sample(time: 1, toSend: 0, received: 10, toReceive: 0),
                Sample(time: 2, sent: -1, toSend: -1, received: 20, toReceive: -1),
            ]),
        Transfer(
            name: "huge counts",
            samples: [
                Sample(time: 0), Sample(time: 1e9, received: .max / 2, toReceive: .max),
                Sample(time: 2e9, received: .max, toReceive: .max),
            ]),
        Transfer(name: "nothing but waiting", samples: (0...50).map { Sample(time: Double($0) * 10) }),
        Transfer(
            name: "a clock that stands still",
            samples: [Sample(time: 5), Sample(time: 5), Sample(time: 5, received: 1)]),
    ]

    @Test(arguments: transfers)
    func `Progress is in [0, 1] and never goes back`(_ transfer: Transfer) {
        var last = 0.0
        for value in values(of: transfer.samples) {
            #expect(value >= last)
            #expect(value <= 1)
            last = value
        }
    }

    @Test func `Progress does not reach 1 while there may be more to come`() throws {
        for samples in [
            Self.download(total: nil), (0...1000).map { Sample(time: Double($0)) }, Self.upload(total: 10_000),
        ] {
            #expect(try #require(values(of: samples).last) < 1)
        }
    }

    @Test func `A download of known size ends at 1, and moves evenly in between`() {
        let values = values(of: Self.download(total: 10_000))
        #expect(values.last == 1)
        let steps = zip(values.dropFirst(2), values.dropFirst(3)).map { $1 - $0 }
        for step in steps { #expect(abs(step - steps[0]) < 1e-9) }
    }

    @Test(arguments: [download(total: nil), upload(total: nil)])
    func `An unknown total makes progress grow ever more slowly`(_ samples: [Sample]) {
        let values = values(of: samples).dropFirst(2)
        let steps = zip(values, values.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 > 0 })
        for (earlier, later) in zip(steps, steps.dropFirst()) { #expect(later < earlier) }
    }

    @Test func `Connecting and waiting count, too: progress grows while no byte moves`() {
        let connecting = values(of: (0...5).map { Sample(time: Double($0), toSend: 1_000) })
        let waiting = values(of: (0...5).map { Sample(time: Double($0)) })
        for values in [connecting, waiting] {
            #expect(values[0] == 0)
            for (earlier, later) in zip(values, values.dropFirst()) { #expect(later > earlier) }
        }
    }

    @Test func `An upload of which nothing was known before its first byte is measured by its bytes`() {
        var estimate = ProgressEstimate()
        update(&estimate, Sample(time: 0))
        update(&estimate, Sample(time: 1, sent: 1_000, toSend: 10_000))
        let before = estimate.value
        update(&estimate, Sample(time: 100, sent: 1_000, toSend: 10_000))
        #expect(estimate.value == before)
        update(&estimate, Sample(time: 100, sent: 9_000, toSend: 10_000))
        #expect(estimate.value > before + 0.3)
    }

    @Test func `Progress stays put in the moment in which a total becomes known`() {
        var estimate = ProgressEstimate()
        update(&estimate, Sample(time: 0))
        update(&estimate, Sample(time: 1, received: 4_000))
        let before = estimate.value
        update(&estimate, Sample(time: 1, received: 4_000, toReceive: 50_000))
        #expect(estimate.value == before)
        update(&estimate, Sample(time: 2, received: 50_000, toReceive: 50_000))
        #expect(estimate.value == 1)
    }

    @Test(arguments: [0.01, 1, 1000])
    func `Progress stays put in the moment in which a phase ends, early or late`(_ latency: Double) {
        var estimate = ProgressEstimate()
        update(&estimate, Sample(time: 0, toSend: 1_000_000))
        update(&estimate, Sample(time: latency, toSend: 1_000_000))
        let connected = estimate.value
        update(&estimate, Sample(time: latency, sent: 1, toSend: 1_000_000))
        #expect(abs(estimate.value - connected) < 1e-5)
        update(&estimate, Sample(time: 2 * latency, sent: 999_999, toSend: 1_000_000))
        let uploaded = estimate.value
        update(&estimate, Sample(time: 2 * latency, sent: 1_000_000, toSend: 1_000_000))
        #expect(abs(estimate.value - uploaded) < 1e-5)
        update(&estimate, Sample(time: 3 * latency, sent: 1_000_000, toSend: 1_000_000))
        let waited = estimate.value
        update(
            &estimate, Sample(time: 3 * latency, sent: 1_000_000, toSend: 1_000_000, received: 1, toReceive: 1_000_000))
        #expect(abs(estimate.value - waited) < 1e-5)
    }

    @Test func `Whatever was estimated before, the end of a download of known size is 1`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var estimate = ProgressEstimate()
            let sent = Int64.random(in: 1...100_000, using: &generator)
            let received = Int64.random(in: 1...100_000, using: &generator)
            update(&estimate, Sample(time: 0, toSend: sent))
            update(&estimate, Sample(time: .random(in: 0...20), sent: sent / 2, toSend: sent))
            update(&estimate, Sample(time: .random(in: 20...40), sent: sent, toSend: sent))
            update(&estimate, Sample(time: 50, sent: sent, toSend: sent, received: received, toReceive: received))
            #expect(abs(estimate.value - 1) < 1e-9, "sent \(sent), received \(received)")
        }
    }

    @Test func `An upload whose bytes the network has taken at once counts as sent`() {
        let sample = Sample(time: 0.05, sent: 3_000_000, toSend: 3_000_000)
        var upload = ProgressEstimate(startedAt: 0, requestBytesTotal: 3_000_000, isUpload: true)
        update(&upload, sample)
        #expect(upload.value > 0.94)
        var request = ProgressEstimate(startedAt: 0, requestBytesTotal: 3_000_000)
        update(&request, sample)
        #expect(request.value < 0.1)
    }

    private func values(of samples: [Sample]) -> [Double] {
        var estimate = ProgressEstimate()
        return samples.map {
            update(&estimate, $0)
            return estimate.value
        }
    }

    private func update(_ estimate: inout ProgressEstimate, _ sample: Sample) {
        let metrics = RequestTransferMetrics(
            requestBytesSent: sample.sent, requestBytesTotal: sample.toSend, responseBytesReceived: sample.received,
            responseBytesTotal: sample.toReceive)
        estimate.update(metrics, at: sample.time)
    }

    private static func download(total: Int64?) -> [Sample] {
        [Sample(time: 0)] + (1...10).map { Sample(time: Double($0), received: Int64($0) * 1_000, toReceive: total) }
    }

    private static func upload(total: Int64?) -> [Sample] {
        [Sample(time: 0, toSend: total)]
            + (1...10).map { Sample(time: Double($0), sent: Int64($0) * 1_000, toSend: total) }
    }
}
