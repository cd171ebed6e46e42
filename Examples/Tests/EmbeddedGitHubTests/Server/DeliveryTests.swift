import Foundation
import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("A delivery plans what goes over the wire", .timeLimit(.test))
struct DeliveryTests {
    private static let response = HTTPResponse(200, json: .string(String(repeating: "a", count: 98)))

    private func sent(_ delivery: Delivery) -> String {
        let bytes = delivery.steps.flatMap { step -> [UInt8] in
            if case .send(let bytes) = step { bytes } else { [] }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("in one write when nothing holds it up")
    func whole() {
        let delivery = Delivery(Self.response, isHead: false, keepsAlive: true)
        #expect(delivery.steps.count == 1)
        #expect(sent(delivery).contains("Content-Length: 100\r\nConnection: keep-alive\r\n\r\n\"aaa"))
        #expect(delivery.keepsAlive)
    }

    @Test("without content for a HEAD, a 204 and a 304")
    func withoutContent() {
        let head = sent(Delivery(Self.response, isHead: true, keepsAlive: true))
        #expect(head.contains("Content-Length: 100\r\n"))
        #expect(head.hasSuffix("\r\n\r\n"))
        for status in [204, 304] {
            let text = sent(Delivery(HTTPResponse(status), isHead: false, keepsAlive: false))
            #expect(!text.contains("Content-Length"))
            #expect(text.hasSuffix("Connection: close\r\n\r\n"))
        }
    }

    @Test("in paced pieces whose pauses add up", arguments: [(1, 100), (40, 25), (1000, 1), (0, 100)])
    func paced(pace: Int, pieces: Int) {
        let delivery = Delivery(
            Self.response, isHead: false, keepsAlive: true, behaviour: .init(bytesPerSecond: pace))
        let pauses = delivery.steps.compactMap { (step) -> TimeInterval? in
            if case .pause(let seconds) = step { seconds } else { nil }
        }
        let (total, expected) = (pauses.reduce(0, +), 100 / TimeInterval(max(pace, 1)))
        #expect(pauses.count == pieces)
        #expect(abs(total - expected) < 0.001)
        #expect(sent(delivery) == sent(Delivery(Self.response, isHead: false, keepsAlive: true)))
    }

    @Test("half of the content when it is to be cut, and then the end")
    func cut() {
        let delivery = Delivery(Self.response, isHead: false, keepsAlive: true, behaviour: .init(fault: .cutBody))
        let text = sent(delivery)
        #expect(text.contains("Content-Length: 100\r\n"))
        #expect(text.hasSuffix("\r\n\r\n\"" + String(repeating: "a", count: 49)))
        #expect(!delivery.keepsAlive)
    }
}
