import Foundation

import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaCore

/// The encoders of the bodies of loads.
@MainActor @Suite(.timeLimit(.test))
struct LoadBodyEncodingTests {
    private struct Query: Encodable {
        static let unit = CodingUserInfoKey(rawValue: "unit")

        var sentAt = Date(timeIntervalSince1970: 5)
        var someBytes = Data([1, 2])
        var upTo = Double.infinity
        var inUnit = Unit()

        struct Unit: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(Query.unit.flatMap { encoder.userInfo[$0] as? String } ?? "none")
            }
        }
    }

    private final class OwnEncoder: JSONEncoder, @unchecked Sendable {}

    private static let expected = #"{"in_unit":"km","sent_at":5,"some_bytes":[1,2],"up_to":"∞"}"#

    private let service = StubbedResource().service

    private func setUp(_ encoder: JSONEncoder) {
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.dataEncodingStrategy = .deferredToData
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "∞", negativeInfinity: "", nan: "")
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = .prettyPrinted
        if let unit = Query.unit { encoder.userInfo[unit] = "km" }
    }

    private func body(_ resource: Resource) -> String? {
        resource.loadBody.map { String(decoding: $0.data, as: UTF8.self) }
    }

    @Test(arguments: [true, false])
    func `All options of an encoder apply, except its formatting, which it keeps`(_ isOwn: Bool) {
        let encoder = isOwn ? OwnEncoder() : JSONEncoder()
        setUp(encoder)
        #expect(
            body(service.resource("/a", loadedBy: .post, body: .encoded(Query(), encoder: encoder))) == Self.expected)
        #expect(encoder.outputFormatting == .prettyPrinted)
    }

    @Test func `Without an encoder, the encoder of the configuration for GET counts`() {
        let encoder = JSONEncoder()
        setUp(encoder)
        service.configure("/a", requestMethods: [.get]) { $0.jsonEncoder = encoder }
        #expect(body(service.resource("/a", loadedBy: .post, body: .encoded(Query()))) == Self.expected)
    }
}
