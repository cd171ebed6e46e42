import Dispatch
import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaStorage
import SiestaTesting
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Opens a store of an app.
nonisolated private func MyStore(at url: URL, limits: RecordLimits) -> FileRecordStore {
    FileRecordStore(folder: url, limits: limits)
}

/// A cache of an app: a file for each entity. Its queue is serial, because a change of a timestamp reads and writes a
/// file, and resources of two services may have the same file.
nonisolated private struct MyCache: EntityCache {
    nonisolated private struct Record: Codable {
        let content: Data
        let charset: String?
        let headers: [String: String]
        let timestamp: TimeInterval
    }

    let workQueue = DispatchQueue(label: "MyCache")
    private let folder: URL

    init(at folder: URL) {
        self.folder = folder
    }

    @MainActor func key(for resource: Resource) -> URL? {
        // A file name may have 255 bytes at most. Therefore parts of the URL become the names of folders.
        var rest = Data(resource.url.absoluteString.utf8).base64EncodedString().replacing("/", with: "-")[...]
        var file = folder
        while !rest.isEmpty {
            file.appendPathComponent(String(rest.prefix(200)))
            rest = rest.dropFirst(200)
        }
        return file.appendingPathComponent("entity")
    }

    func readEntity(forKey key: URL) -> Entity<Any>? {
        guard let file = try? Data(contentsOf: key), let record = try? JSONDecoder().decode(Record.self, from: file)
        else { return nil }
        return Entity(
            content: record.content, charset: record.charset, headers: record.headers, timestamp: record.timestamp)
    }

    func writeEntity(_ entity: Entity<Any>, forKey key: URL) {
        guard let content = entity.content as? Data else { return }
        let record = Record(
            content: content, charset: entity.charset, headers: entity.headers, timestamp: entity.timestamp)
        let folder = key.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? JSONEncoder().encode(record).write(to: key, options: .atomic)
    }

    func removeEntity(forKey key: URL) {
        try? FileManager.default.removeItem(at: key)
    }
}

extension Samples {
    /// The doc comments of `SiestaTesting`. These samples need no server.
    @MainActor
    struct DocCommentsOfTesting {
        let server = stage.newServer()
        let temporary = SampleFolder()

        @Test func `A stub network gives scripted answers`() async throws {
            let network = StubNetwork()
            network.answer(.get, "/users/42", with: .json(#"{"name": "Ada"}"#), .failure(.timedOut))
            let service = Service(baseURL: "https://api.test", networking: network)
            #expect(try await service.resource("/users/42").load().value.jsonDict["name"] as? String == "Ada")
            let error = await #expect(throws: RequestError.self) {
                _ = try await service.resource("/users/42").load().value
            }
            #expect((error?.cause as? URLError)?.code == .timedOut)
        }

        @MainActor
        final class Screen {
            let resource: Resource

            init(_ service: Service) { resource = service.resource("/users/42") }

            func appear() { resource.loadIfNeeded() }
        }

        @Test func `A test waits for a request`() async throws {
            let network = StubNetwork()
            network.answer(.get, "/users/42", with: .held)
            let service = Service(baseURL: "https://api.test", networking: network)
            let screen = Screen(service)
            screen.appear()
            try await network.exchange(1).respond(with: .json("{}"))
            _ = try await screen.resource.get()
            #expect(screen.resource.jsonDict.isEmpty)
            #expect(network.requests.count == 1)
        }

        @Test func `The time of a test clock changes only when a test changes it`() async throws {
            let network = StubNetwork()
            network.answer(.get, "/users/42", with: .json(#"{"name": "Ada"}"#))
            let clock = TestClock()
            let service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: network) }
            let user = service.resource("/users/42")
            await user.load().completion()
            #expect(user.isUpToDate)
            clock.advance(by: 31)
            #expect(!user.isUpToDate)  // By default, data is fresh for 30 seconds.
        }

        @Test func `A gate holds back an answer`() async throws {
            let network = StubNetwork()
            let service = Service(baseURL: "https://api.test", networking: network)
            let gate = StubGate()
            network.answer(.get, "/slow", with: .json("{}").after(gate))
            let load = service.resource("/slow").load()
            #expect(service.resource("/slow").isLoading)
            gate.open()
            await load.completion()
            #expect(!service.resource("/slow").isLoading)
        }

        @Test func `A store meets the requirements`() async throws {
            let url = temporary.url.appendingPathComponent("store")
            let violations = await RecordStoreConformance.violations { limits in MyStore(at: url, limits: limits) }
            #expect(violations.isEmpty)
        }

        @Test func `A cache meets the requirements`() async throws {
            let url = temporary.url
            let violations = await EntityCacheConformance.violations { MyCache(at: url) }
            #expect(violations.isEmpty)
        }
    }
}
