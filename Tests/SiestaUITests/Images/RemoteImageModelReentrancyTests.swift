import Foundation
import Observation
import SiestaCore
import SiestaTesting
import SiestaUI
import TestKit
import Testing
import Waiting

/// Code of the app that changes a model while the model tells it of a change, and changes that are taken back.
@MainActor @Suite(.timeLimit(.test))
struct RemoteImageModelReentrancyTests {
    typealias Model = RemoteImageModel<TestDecoder>

    private let network = StubNetwork()
    private let service: Service
    private let small = PixelSize(width: 8, height: 8)

    init() {
        service = Service(baseURL: "https://img.test", standardTransformers: [], networking: network)
    }

    private func loaded(_ path: String, _ body: String) async -> Resource {
        network.answer(.get, path, with: .response(200, body: Data(body.utf8)))
        let resource = service.resource(path)
        await resource.load().completion()
        return resource
    }

    private func model(_ store: ImageStore<TestDecoder>, _ resource: Resource, _ size: PixelSize? = nil) -> Model {
        let model = Model(store: store)
        (model.targetSize, model.resource) = (size, resource)
        return model
    }

    @Test func `A size that is set back during a decoding keeps its image`() async throws {
        let store = ImageStore(decoder: TestDecoder(isGated: true))
        let model = model(store, await loaded("/a", "cat"), small)
        model.appear()
        store.decoder.open()
        try await Poll.until { model.image == "cat 8x8" }
        model.targetSize = PixelSize(width: 99, height: 99)
        model.targetSize = small
        store.decoder.open()
        try await Poll.until { store.statistics.imageCount == 2 }
        #expect(model.image == "cat 8x8")
    }

    @Test func `A callback may set a size whose image is in memory, and this image stays`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        let resource = await loaded("/a", "cat")
        let first = model(store, resource, small)
        first.appear()
        try await Poll.until { first.image != nil }
        let model = model(store, resource, PixelSize(width: 4, height: 4))
        model.onChange = { [unowned model] in model.targetSize = small }
        model.appear()
        #expect(model.image == "cat 8x8")
        // An image that is asked for later is decoded after the wrong one.
        let later = self.model(store, resource)
        later.appear()
        try await Poll.until { later.image != nil }
        #expect(model.image == "cat 8x8")
        #expect(store.statistics.decodes == 2)
    }

    @Test func `Observation may switch to a resource that is loading, and the old image does not appear`() async throws
    {
        let store = ImageStore(decoder: TestDecoder())
        let (first, second) = (await loaded("/a", "cat"), service.resource("/b"))
        let gate = StubGate()
        network.answer(.get, "/b", with: .text("dog").after(gate))
        second.load()
        let model = model(store, first)
        model.appear()
        withObservationTracking {
            _ = model.phase
        } onChange: {
            MainActor.assumeIsolated { model.resource = second }
        }
        try await Poll.until { model.resource === second }
        #expect(model.image == nil)
        gate.open()
        try await Poll.until { model.image == "dog" }
    }

    @Test func `Observation may remove a resource whose image is in memory`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        let resource = await loaded("/a", "cat")
        let first = model(store, resource)
        first.appear()
        try await Poll.until { first.image != nil }
        let model = Model(store: store)
        withObservationTracking {
            _ = model.phase
        } onChange: {
            MainActor.assumeIsolated { model.resource = nil }
        }
        model.resource = resource
        #expect(model.resource == nil)
        #expect(model.image == nil)
    }

    @Test func `An image whose release uses the store may be removed from it`() async throws {
        final class Picture: Sendable {
            private let release: @MainActor @Sendable () -> Void
            init(_ release: @escaping @MainActor @Sendable () -> Void) { self.release = release }
            deinit { MainActor.assumeIsolated { release() } }
        }
        struct Toolkit: ImageDecoding {
            let release: @MainActor @Sendable () -> Void
            func decode(_ data: Data, fitting size: PixelSize?) throws -> DecodedImage<Picture> {
                DecodedImage(Picture(release), pixelSize: PixelSize(width: 1, height: 1))
            }
        }
        @MainActor final class Uses {
            var store: ImageStore<Toolkit>?
            var counts: [Int] = []
        }
        let uses = Uses()
        let store = ImageStore(
            decoder: Toolkit { uses.counts.append(uses.store?.statistics.imageCount ?? -1) }, costLimit: 2_500)
        uses.store = store
        for number in 0..<4 {
            let model = RemoteImageModel(store: store)
            model.resource = await loaded("/\(number)", "")
            model.appear()
            try await Poll.until { model.image != nil }
        }
        try await Poll.until { uses.counts == [2, 2] }
        store.costLimit = 1_100
        #expect(uses.counts == [2, 2, 1])
        store.removeAll()
        #expect(uses.counts == [2, 2, 1, 0])
        uses.store = nil
    }
}
