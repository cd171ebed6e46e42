import Foundation
import Observation
import SiestaCore
import SiestaTesting
import SiestaUI
import SiestaWriting
import TestKit
import Testing
import Waiting

@MainActor @Suite(.timeLimit(.test))
struct RemoteImageModelTests {
    typealias Model = RemoteImageModel<TestDecoder>

    private let clock = TestClock()
    private let network = StubNetwork()
    private let service: Service

    init() {
        service = clock.whileCurrent { [network] in
            Service(baseURL: "https://img.test", standardTransformers: [], networking: network)
        }
    }

    private func answer(_ path: String, _ body: String) {
        network.answer(.get, path, with: .response(200, body: Data(body.utf8)))
    }

    private func loaded(_ path: String, _ body: String? = nil) async -> Resource {
        answer(path, body ?? path)
        let resource = service.resource(path)
        await resource.load().completion()
        return resource
    }

    private func model(_ store: ImageStore<TestDecoder>, _ resource: Resource? = nil) -> Model {
        let model = Model(store: store)
        model.resource = resource
        return model
    }

    @Test func `An image is loaded and decoded off the main thread, and then shown`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        answer("/a", "cat")
        let model = model(store, service.resource("/a"))
        #expect(model.name == "empty")
        #expect(network.requests.isEmpty)
        var names: [String] = []
        model.onChange = { [unowned model] in names.append(model.name) }
        model.appear()
        try await Poll.until { model.image != nil }
        #expect(names == ["loading", "cat"])
        #expect(store.decoder.usesOnMainQueue == 0)
    }

    @Test func `A model shows the image of a URL, through any service`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        answer("/a", "cat")
        let model = model(store)
        model.appear()
        model.show(URL(string: "https://img.test/a"), from: service)
        #expect(model.resource === service.resource("/a"))
        try await Poll.until { model.image == "cat" }
        model.show(nil)
        #expect(model.name == "empty")
        model.disappear()  // The service of the library would ask the network.
        model.show(URL(string: "https://img.test/a"))
        #expect(model.resource?.service === Service.forImages)
        model.resource = nil
    }

    @Test func `A hundred views of one URL cause one load and one decoding for each size`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        answer("/a", "cat")
        let models = (0..<100).map { number in
            let model = model(store, service.resource("/a"))
            model.targetSize = number < 60 ? PixelSize(width: 8, height: 8) : nil
            model.appear()
            return model
        }
        try await Poll.until { models.allSatisfy { $0.image != nil } }
        #expect(network.requests.count == 1)
        #expect(Set(store.decoder.images) == ["cat", "cat 8x8"])
        #expect(store.decoder.images.count == 2)
        #expect(store.statistics.decodes == 2)
    }

    @Test func `An image in memory is shown in the same turn`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        let resource = await loaded("/a", "cat")
        let first = model(store, resource)
        first.appear()
        try await Poll.until { first.image != nil }
        let second = model(store)
        second.resource = resource
        #expect(second.image == "cat")
        #expect(store.decoder.images.count == 1)
    }

    @Test func `The image of data with a pending edit contains the edit`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        let resource = await loaded("/a", "cat")
        network.answer(.patch, "/a", with: .held)
        let model = model(store, resource)
        model.appear()
        try await Poll.until { model.image == "cat" }
        let change = resource.typed(as: Data.self).mutate(.patch) { $0 += Data("s".utf8) }
        try await Poll.until { model.image == "cats" }
        change.cancel()
        try await Poll.until { model.image == "cat" }
    }

    @Test func `A failed load is a failure, and a retry loads again`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        network.answer(.get, "/a", with: .response(404))
        let model = model(store, service.resource("/a"))
        model.appear()
        try await Poll.until { model.name == "failed" }
        answer("/a", "cat")
        model.retry()
        try await Poll.until { model.image == "cat" }
    }

    @Test func `Setting the same resource again loads it if necessary, as in 1.5`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        network.answer(.get, "/a", with: .response(404))
        let resource = service.resource("/a")
        let model = model(store, resource)
        model.appear()
        try await Poll.until { model.name == "failed" }
        answer("/a", "cat")
        model.resource = resource
        #expect(!resource.isLoading)  // The retry time is not over.
        clock.advance(by: 2)
        model.resource = resource
        try await Poll.until { model.image == "cat" }
        #expect(network.requests.count == 2)
    }

    @Test func `Data that is no image is a failure that is decoded once, and a retry decodes it again`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        let resource = await loaded("/a", "bad")
        let models = (0..<3).map { _ in model(store, resource) }
        for model in models { model.appear() }
        try await Poll.until { models.allSatisfy { $0.name == "failed" } }
        let later = model(store, resource)
        #expect(later.name == "failed")
        if case .failed(let error) = later.phase { #expect(error.cause is RequestError.Cause.UnparsableImage) }
        #expect(store.decoder.images.count == 1)
        #expect(store.statistics.failures == 1)
        answer("/a", "good")
        models[0].retry()
        try await Poll.until { models[0].image == "good" }
    }

    @Test func `Content of another type is a failure`() async throws {
        let resource = service.resource("/a")
        resource.overrideLocalData(with: Entity(content: 7, contentType: "text/plain"))
        let model = model(ImageStore(decoder: TestDecoder()), resource)
        #expect(model.name == "failed")
    }

    @Test func `An image of the toolkit is used as it is`() async throws {
        struct Toolkit: ImageDecoding {
            func decode(_ data: Data, fitting size: PixelSize?) throws -> DecodedImage<Int> {
                throw TestDecoder.Refused()
            }
            func source(of content: Any) -> ImageSource<Int>? {
                (content as? Int).map { .image(DecodedImage($0, pixelSize: PixelSize(width: 1, height: 1))) }
            }
        }
        let resource = service.resource("/a")
        resource.overrideLocalData(with: Entity(content: 7, contentType: "text/plain"))
        let model = RemoteImageModel(store: ImageStore(decoder: Toolkit()))
        model.resource = resource
        #expect(model.image == 7)
    }

    @Test func `A view that leaves the screen cancels its load, unless another view shows the same`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        let (one, two) = (model(store, service.resource("/a")), model(store, service.resource("/a")))
        one.appear()
        two.appear()
        one.disappear()
        clock.advance(by: 0.06)
        #expect(service.resource("/a").isLoading)
        two.disappear()
        clock.advance(by: 0.04)
        #expect(service.resource("/a").isLoading)
        clock.advance(by: 0.02)
        #expect(!service.resource("/a").isLoading)
        #expect(one.name == "empty")
    }

    @Test func `A view that is used for another row shows nothing of the last row`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        let (first, second) = (await loaded("/a", "cat"), service.resource("/b"))
        let model = model(store, first)
        model.appear()
        try await Poll.until { model.image == "cat" }
        model.resource = second
        #expect(model.name == "loading")
        model.resource = first
        #expect(model.image == "cat")
        clock.advance(by: 0.06)
        #expect(!second.isLoading)
    }

    @Test func `An image that nobody wants any more is not decoded, and the newest wish comes first`() async throws {
        let store = ImageStore(decoder: TestDecoder(isGated: true))
        var models: [Model] = []
        for name in ["a", "b", "c", "d", "e"] {
            let model = model(store, await loaded("/\(name)", name))
            model.appear()
            models.append(model)
        }
        #expect(store.statistics.decodes == 2)  // Those of a and b, which have begun.
        models[2].disappear()
        for number in 1...4 {
            store.decoder.open()
            try await Poll.until { models.count { $0.image != nil } == number }
        }
        // A free thread takes the newest.
        #expect(store.decoder.images.firstIndex(of: "e") ?? 9 < store.decoder.images.firstIndex(of: "d") ?? 0)
        #expect(store.decoder.images.sorted() == ["a", "b", "d", "e"])
        #expect(models[2].image == nil)
    }

    @Test func `New data replaces the image, and the old one is shown until then`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        let resource = await loaded("/a", "cat")
        let model = model(store, resource)
        model.appear()
        try await Poll.until { model.image == "cat" }
        var names: [String] = []
        model.onChange = { [unowned model] in names.append(model.name) }
        _ = await loaded("/a", "dog")
        try await Poll.until { model.image == "dog" }
        #expect(names == ["dog"])
        network.answer(.get, "/a", with: .response(500))
        await resource.load().completion()
        #expect(model.image == "dog")
        resource.wipe()
        #expect(model.name == "empty")
    }

    @Test func `A new size keeps the image until the other size is decoded`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        let model = model(store, await loaded("/a", "cat"))
        model.appear()
        try await Poll.until { model.image == "cat" }
        model.targetSize = PixelSize(width: 2, height: 3)
        #expect(model.image == "cat")
        try await Poll.until { model.image == "cat 2x3" }
        model.targetSize = nil
        #expect(model.image == "cat")
        #expect(store.decoder.images.count == 2)
    }

    @Test func `The images that were used longest ago make room`() async throws {
        // The cost of each image is 10, 1 for its data, and 1024 for its resource.
        let store = ImageStore(decoder: TestDecoder(), costLimit: 3 * 1035 + 2)
        for name in ["a", "b", "c"] {
            let model = model(store, await loaded("/\(name)", name))
            model.appear()
            try await Poll.until { model.image != nil }
        }
        #expect(model(store, service.resource("/a")).image == "a")
        let fourth = model(store, await loaded("/d", "d"))
        fourth.appear()
        try await Poll.until { fourth.image != nil }
        #expect(model(store, service.resource("/b")).image == nil)
        #expect(model(store, service.resource("/a")).image == "a")
        #expect(store.statistics.evictions == 1)
        #expect(store.statistics.cost == 3 * 1035)
        store.costLimit = 1040
        #expect(store.statistics.imageCount == 1)
        store.removeAll()
        #expect(store.statistics.cost == 0)
    }

    @Test func `An image larger than the limit is shown, and not kept`() async throws {
        let store = ImageStore(decoder: TestDecoder(), costLimit: 1500)
        let model = model(store, await loaded("/a", "big"))
        model.appear()
        try await Poll.until { model.image == "big" }
        #expect(store.statistics.imageCount == 0)
        clock.advance(by: 100)
        network.answer(.get, "/a", with: .response(304))
        await service.resource("/a").load().completion()
        #expect(store.decoder.images.count == 1)
    }

    @Test func `Low memory removes the images`() async throws {
        let (store, pressure) = (ImageStore(decoder: TestDecoder()), MemoryPressure())
        store.removeAll(under: pressure)
        let model = model(store, await loaded("/a", "cat"))
        model.appear()
        try await Poll.until { model.image != nil }
        pressure.report()
        try await Poll.until { store.statistics.imageCount == 0 }
        #expect(model.image == "cat")
    }

    @Test func `A model that is released ends its wishes`() async throws {
        let store = ImageStore(decoder: TestDecoder(isGated: true))
        var models = [Model]()
        for name in ["a", "b", "c"] {
            models.append(model(store, await loaded("/\(name)", name)))
            models.last?.appear()
        }
        let loading = model(store, service.resource("/d"))
        models.append(loading)
        loading.appear()
        models = [models[0], models[1]]
        #expect(service.resource("/d").isLoading)
        for _ in 0..<2 { store.decoder.open() }
        try await Poll.until { models.allSatisfy { $0.image != nil } }
        #expect(store.statistics.decodes == 2)
    }

    @Test func `A callback may change the model and release it`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        let (one, two) = (await loaded("/a", "cat"), await loaded("/b", "dog"))
        var model: Model? = model(store, one)
        model?.onChange = {
            if model?.image == "cat" { model?.resource = two } else if model?.image == "dog" { model = nil }
        }
        model?.appear()
        try await Poll.until { model == nil }
    }

    @Test func `Observation announces the phases`() async throws {
        final class Count: @unchecked Sendable { var value = 0 }
        let (store, count) = (ImageStore(decoder: TestDecoder()), Count())
        let model = model(store, await loaded("/a", "cat"))
        withObservationTracking {
            _ = model.image
        } onChange: {
            count.value += 1
        }
        model.appear()
        #expect(count.value == 1)
        try await Poll.until { model.image != nil }
    }
}

extension RemoteImageModelTests {
    @Test func `After a wipe, no image of the wiped data stays in memory`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        let models = [model(store, await loaded("/a", "cat")), model(store, await loaded("/b", "dog"))]
        for model in models { model.appear() }
        try await Poll.until { models.allSatisfy { $0.image != nil } }
        models[1].disappear()
        service.wipeResources()
        #expect(models[0].name == "empty")
        #expect(store.statistics.imageCount == 0)
    }

    @Test func `A view off screen keeps its image until the data of the image is wiped`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        let (first, second) = (await loaded("/a", "cat"), await loaded("/b", "dog"))
        let model = model(store, first)
        model.appear()
        try await Poll.until { model.image == "cat" }
        model.disappear()
        #expect(model.image == "cat")
        #expect(!first.isObserved)
        var names: [String] = []
        model.onChange = { [unowned model] in names.append(model.name) }
        model.resource = second
        model.resource = first
        #expect(names == ["empty", "cat"])
        service.wipeResources(includingCaches: true)
        #expect(names == ["empty", "cat", "empty"])
        #expect(store.statistics.imageCount == 0)
        model.appear()
        #expect(names == ["empty", "cat", "empty", "loading"])
    }

    @Test func `An observer that is told of a wipe before the model sees no image of wiped data`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        let before = service.resource("/before")
        let model = model(store, await loaded("/a", "cat"))
        model.appear()
        try await Poll.until { model.image == "cat" }
        var names: [String] = []
        for other in [before, service.resource("/after")] {
            other.addObserver(owner: store) { _, event in
                if event == .newData(.wipe) { names.append(model.name) }
            }
        }
        service.wipeResources()
        #expect(names == ["empty", "empty"])
    }

    @Test func `After a wipe with caches, the next use of the store removes what nobody sees`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        let hidden = model(store, await loaded("/a", "cat"))
        hidden.appear()
        try await Poll.until { hidden.image != nil }
        hidden.disappear()
        service.wipeResources(includingCaches: true)
        let other = model(store, await loaded("/b", "dog"))
        other.appear()
        try await Poll.until { other.image != nil }
        #expect(store.statistics.imageCount == 1)
    }

    @Test func `A row never shows the image of another row, also not while its own is decoded`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        let (first, second) = (await loaded("/a", "cat"), await loaded("/b", "dog"))
        let model = model(store, first)
        model.appear()
        try await Poll.until { model.image == "cat" }
        model.resource = second
        #expect(model.name == "loading")
        try await Poll.until { model.image == "dog" }
    }

    @Test func `Data that the server confirms is decoded again after a failure`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        network.answer(
            .get, "/a", with: .response(200, headers: ["ETag": "\"1\""], body: Data("bad".utf8)), .response(304))
        let model = model(store, service.resource("/a"))
        model.appear()
        try await Poll.until { model.name == "failed" }
        model.retry()
        try await Poll.until { store.decoder.images.count == 2 && model.name == "failed" }
        #expect(network.requests.count == 2)
    }

    @Test func `A callback may set another resource, which alone is loaded and observed`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        let (first, left) = (await loaded("/a", "cat"), service.resource("/left"))
        let model = model(store, first)
        model.appear()
        try await Poll.until { model.image == "cat" }
        model.onChange = { [unowned model] in if model.resource === left { model.resource = first } }
        let gate = StubGate()
        network.answer(.get, "/left", with: .response(200).after(gate))
        left.load()
        model.resource = left
        #expect(model.resource === first)
        #expect(model.image == "cat")
        _ = await loaded("/a", "dog")
        try await Poll.until { model.image == "dog" }  // The first one is still observed.
        clock.advance(by: 0.06)
        #expect(!left.isLoading)
        let stale = service.resource("/stale")
        model.onChange = { [unowned model] in if model.resource === stale { model.resource = first } }
        model.resource = stale
        #expect(model.resource === first)
        #expect(!stale.isLoading)
    }

    @Test func `Code that is told by Observation may change the model`() async throws {
        let store = ImageStore(decoder: TestDecoder())
        let model = model(store, await loaded("/a", "cat"))
        withObservationTracking {
            _ = model.phase
        } onChange: {
            MainActor.assumeIsolated { model.resource = nil }
        }
        model.appear()
        #expect(model.name == "empty")
        #expect(model.resource == nil)
    }
}

extension RemoteImageModel<TestDecoder> {
    /// The phase as a text.
    fileprivate var name: String {
        switch phase {
        case .empty: "empty"
        case .loading: "loading"
        case .image(let image): image
        case .failed: "failed"
        }
    }
}
