import Foundation
import LoopbackServer
import SiestaTransfers

import TestDoubles
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

#if os(Linux) || os(Android)
/// Who reads JSON: the library, or Foundation.
@MainActor
@Suite(
    .timeLimit(.test),
    .disabled(
        if: ProcessInfo.processInfo.environment["SIESTA_FOUNDATION_JSON"] != nil,
        "Foundation reads all JSON of the process")
)
struct FoundationJSONTests {
    /// A value that knows the type of its decoder.
    nonisolated private struct Reader: Codable, Sendable, Equatable {
        let name: String

        init(from decoder: any Decoder) throws { name = "\(type(of: decoder))" }
        func encode(to encoder: any Encoder) throws {}
    }

    private let server: LoopbackServer
    private let service: Service

    init() throws {
        server = try LoopbackServer { try $0.respond(headers: ["Content-Type: application/json"], text: "{}") }
        service = Service(baseURL: server.url())
        service.configure("/off/**") { $0.usesFoundationJSON = true }
        service.decode("/*/decoded", as: Reader.self)
        service.decode("/*/transformed", as: Reader.self) { [$0.content] }
        service.configure("/late/**") { $0.usesFoundationJSON = true }
    }

    private func isFoundation(_ reader: Reader) -> Bool { reader.name == "JSONDecoderImpl" }

    /// True if Foundation has read the JSON of the resource at a path.
    private func usesFoundation(_ path: String) async throws -> Bool {
        isFoundation(try await service.resource(path, as: Reader.self).get())
    }

    @Test func `The option decides who decodes, before and after the rule that decodes`() async throws {
        #expect(try await !usesFoundation("/on/decoded"))
        #expect(try await usesFoundation("/off/decoded"))
        #expect(try await usesFoundation("/late/decoded"))
        let list = try await service.resource("/late/transformed", as: [Reader].self).get()
        #expect(list.allSatisfy(isFoundation))
        #expect(!service.resource("/on/decoded").configuration.usesFoundationJSON)
    }

    @Test func `The option applies to the responses of requests, with any decoder`() async throws {
        for decoder in [nil, JSONDecoder()] {
            let on = try await service.resource("/on/x").request(.post).value.decoded(
                as: Reader.self, decoder: decoder)
            #expect(!isFoundation(on))
            let off = try await service.resource("/off/x").request(.post).value.decoded(
                as: Reader.self, decoder: decoder)
            #expect(isFoundation(off))
        }
    }

    @Test func `The option applies to sequences of values`() async throws {
        for decoder in [nil, JSONDecoder()] {
            for try await value in service.resource("/on/x").jsonValues(as: Reader.self, decoder: decoder) {
                #expect(!isFoundation(value))
            }
            for try await value in service.resource("/off/x").jsonValues(as: Reader.self, decoder: decoder) {
                #expect(isFoundation(value))
            }
        }
    }

    @Test func `A transformer is resolved in filters and where it treats errors only`() {
        let json = JSONTransformer { isFoundation in
            ResponseContentTransformer(transformErrors: true) { (_: Entity<Data>) -> String? in "\(isFoundation)" }
        }
        let entity = Entity<Any>(content: Data(), headers: ["Content-Type": "a/b"])
        let failure = RequestError(userMessage: "", cause: CancellationError(), entity: entity)
        for isOn in [true, false] {
            var pipeline = Pipeline()
            pipeline[.parsing].add(json, contentTypes: ["a/b"])
            pipeline[.parsing].keepForErrorsOnly()
            pipeline[.model].add(json, contentTypes: ["a/b"])
            let processing = ResponseProcessing(pipeline, usesFoundationJSON: isOn)
            let response = processing.process(.success(entity), hasNoContent: false).response
            guard case .success(let result) = response else { return #expect(Bool(false), "\(response)") }
            #expect(result.content as? String == "\(isOn)")
            guard case .failure(let error) = processing.process(.failure(failure), hasNoContent: false).response else {
                return #expect(Bool(false))
            }
            #expect(error.entity?.content as? String == "\(isOn)")
        }
    }

    @Test func `A subclass of the decoder decodes by itself`() async throws {
        final class Special: JSONDecoder, @unchecked Sendable {}
        service.configure("/on/special") { $0.jsonDecoder = Special() }
        service.decode("/on/special", as: Reader.self)
        #expect(try await usesFoundation("/on/special"))
    }
}
#endif
