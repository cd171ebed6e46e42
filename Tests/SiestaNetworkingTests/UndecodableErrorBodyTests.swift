import Foundation
import Isolation
import LoopbackServer
import SiestaCore
import SiestaRetrying
import SiestaSessions
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing

/// Error responses whose bodies are not encoded as their `Content-Encoding` says.
@MainActor @Suite(.timeLimit(.test))
struct UndecodableErrorBodyTests {
    /// Bodies and codings that cannot be decoded.
    enum Damage: CaseIterable, Sendable {
        case garbage, cut, deflate, twoCodings

        var coding: String {
            switch self {
            case .garbage, .cut: "gzip"
            case .deflate: "deflate"
            case .twoCodings: "gzip, gzip"
            }
        }

        var body: Data {
            switch self {
            case .garbage, .deflate, .twoCodings: Data("abc abc abc".utf8)
            // The first bytes of a gzip body: its header, and the beginning of its data.
            case .cut: Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD])
            }
        }
    }

    private func body(of resource: Resource) async -> Data? {
        (try? await resource.load().completion().response.get().content) as? Data
    }

    nonisolated private static func respond(
        _ status: Int, _ damage: Damage, _ fields: [String] = [], to exchange: ServedExchange
    ) throws {
        try exchange.respond(
            status, headers: ["Content-Encoding: \(damage.coding)", "Content-Type: application/json"] + fields,
            body: damage.body)
    }

    @Test(arguments: Damage.allCases, [401, 403, 404, 429, 500])
    func `An error whose body cannot be decoded keeps its status and its fields`(_ damage: Damage, _ status: Int)
        async throws
    {
        let server = try LoopbackServer { try Self.respond(status, damage, ["X-Reason: because"], to: $0) }
        let resource = Service(baseURL: server.url()).resource("/x")
        let info = await resource.load().completion()
        let error = try #require(info.response.failure)
        #expect(error.httpStatusCode == status)
        #expect(error.entity?.header(forKey: "X-Reason") == "because")
        #expect((error.entity?.content as? Data)?.isEmpty == true)
        #expect(resource.latestError?.httpStatusCode == status)
    }

    #if os(Linux)
    /// Foundation keeps no fields here, and does not refuse all of these bodies.
    nonisolated private static let sessionDamages: [Damage] = [.garbage]
    #else
    nonisolated private static let sessionDamages: [Damage] = [.garbage, .cut]
    #endif

    @Test(arguments: sessionDamages, [404, 503])
    func `URLSession keeps the status, too`(_ damage: Damage, _ status: Int) async throws {
        let server = try LoopbackServer { try Self.respond(status, damage, to: $0) }
        let service = Service(baseURL: server.url(), networking: NetworkingKind.session.networking)
        let info = await service.resource("/x").load().completion()
        let error = try #require(info.response.failure)
        #expect(error.httpStatusCode == status)
    }

    @Test func `A success whose body cannot be decoded is a failure without a status`() async throws {
        for damage in Damage.allCases {
            let server = try LoopbackServer { try Self.respond(200, damage, to: $0) }
            let info = await Service(baseURL: server.url()).resource("/x").load().completion()
            let error = try #require(info.response.failure)
            #expect(error.httpStatusCode == nil)
            #expect((error.cause as? URLError)?.code == .cannotDecodeContentData)
        }
    }

    @Test func `An error with a longer body than the limit keeps its status`() async throws {
        let zeros = Data(count: 70 << 20)
        let server = try LoopbackServer { try $0.respond(500, body: zeros) }
        let info = await Service(baseURL: server.url()).resource("/x").load().completion()
        let error = try #require(info.response.failure)
        #expect(error.httpStatusCode == 500)
    }

    @Test(arguments: Damage.allCases)
    func `Streams and downloads keep the status`(_ damage: Damage) async throws {
        let server = try LoopbackServer { try Self.respond(403, damage, ["X-Reason: because"], to: $0) }
        let service = Service(baseURL: server.url())
        let error = await #expect(throws: RequestError.self) {
            for try await _ in service.resource("/stream").bytes { Issue.record("a piece") }
        }
        #expect(error?.httpStatusCode == 403)
        #expect(error?.entity?.header(forKey: "X-Reason") == "because")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let response = await service.resource("/file").download(to: file).completion().response
        #expect(response.failure?.httpStatusCode == 403)
    }

    @Test func `A refused credential is refreshed although the body of the 401 cannot be decoded`() async throws {
        let server = try LoopbackServer { exchange in
            guard exchange.request.header("Authorization") == "Bearer new" else {
                return try Self.respond(401, .garbage, to: exchange)
            }
            try exchange.respond(text: "ok")
        }
        let service = Service(baseURL: server.url())
        let authenticator = ManualAuthenticator()
        authenticator.automatic = { _, _ in Credential("new") }
        service.authenticate(with: authenticator)
        try await service.signIn("ada", with: Credential("old"))
        let resource = service.resource("/x")
        #expect(await body(of: resource) == Data("ok".utf8))
        var pieces = Data()
        authenticator.automatic = { _, _ in Credential("new") }
        for try await piece in resource.bytes { pieces += piece }
        #expect(pieces == Data("ok".utf8))
    }

    @Test(arguments: [429, 503])
    func `An error is retried although its body cannot be decoded`(_ status: Int) async throws {
        let visits = Locked(0)
        let server = try LoopbackServer { exchange in
            guard visits.withLock({ next(after: &$0) }) > 1 else {
                return try Self.respond(status, .garbage, ["Retry-After: 0"], to: exchange)
            }
            try exchange.respond(text: "ok")
        }
        let service = Service(baseURL: server.url())
        service.configure { $0.retry = .standard }
        #expect(await body(of: service.resource("/x")) == Data("ok".utf8))
    }
}

private func next(after number: inout Int) -> Int {
    number += 1
    return number
}
