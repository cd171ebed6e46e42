import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@MainActor @Suite(.timeLimit(.test))
struct PipelineTests {
    private let bench = PipelineBench()

    /// Returns the result of the pipeline for the text "-", if every stage appends its letter.
    private func result(_ change: @escaping (inout Pipeline) -> Void) async -> String? {
        bench.service.configure("/x") { configuration in
            let letters: [(PipelineStageKey, String)] = [
                (.rawData, "r"), (.decoding, "d"), (.parsing, "p"), (.model, "m"), (.cleanup, "c"),
            ]
            configuration.pipeline.removeAllTransformers()
            for (stage, letter) in letters { configuration.pipeline[stage].add(Appending(letter)) }
            change(&configuration.pipeline)
        }
        return await bench.content(of: .response(200)) as? String
    }

    // MARK: Order

    @Test func `The standard order is raw data, decoding, parsing, model, cleanup`() async {
        #expect(Pipeline().order == [.rawData, .decoding, .parsing, .model, .cleanup])
        #expect(await result { _ in } == "rdpmc")
    }

    @Test func `The stages run in the configured order`() async {
        #expect(await result { $0.order = [.cleanup, .model, .parsing, .decoding, .rawData] } == "cmpdr")
    }

    @Test func `A stage that the order does not name does not run`() async {
        #expect(await result { $0.order = [.rawData, .model] } == "rm")
        #expect(bench.resource.configuration.pipeline.order == [.rawData, .model])
    }

    @Test func `An empty order leaves content as it came`() async {
        #expect(await result { $0.order = [] } == nil)
        #expect(await bench.content(of: .json("{}")) is Data)
    }

    @Test func `A stage of one's own runs where it was put`() async {
        let own = PipelineStageKey(description: "own")
        let text = await result { pipeline in
            pipeline.order.insert(own, at: 3)
            pipeline[own].add(Appending("!"))
        }
        #expect(text == "rdp!mc")
    }

    @Test func `A stage may be filled before the order names it`() async {
        let own = PipelineStageKey(description: "own")
        let text = await result { pipeline in
            pipeline[own].add(Appending("!"))
            pipeline.order = [own]
        }
        #expect(text == "!")
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test func `An order that names a stage twice is a programmer error`() async {
        await #expect(processExitsWith: .failure) {
            var pipeline = Pipeline()
            pipeline.order = [.rawData, .model, .rawData]
        }
        await #expect(processExitsWith: .failure) {
            var pipeline = Pipeline()
            pipeline.order.append(.cleanup)
        }
    }

    @Test func `An order of stages that differ, though their descriptions are the same, is none`() async {
        await #expect(processExitsWith: .success) {
            var pipeline = Pipeline()
            pipeline.order = [PipelineStageKey(description: "x"), PipelineStageKey(description: "x")]
        }
    }
    #endif

    // MARK: Stages

    @Test func `The transformers of a stage run in the order they were added`() async {
        let text = await result { pipeline in
            pipeline[.model].add(Appending("1"))
            pipeline[.model].add(Appending("2"))
        }
        #expect(text == "rdpm12c")
    }

    @Test func `Removing the transformers of a stage removes those of earlier configuration, too`() async {
        #expect(await result { $0[.model].removeTransformers() } == "rdpc")
    }

    @Test func `Removing all transformers leaves content as it came`() async {
        #expect(await result { $0.removeAllTransformers() } == nil)
        #expect(await bench.content(of: .text("x")) as? Data == Data("x".utf8))
    }

    @Test func `Clearing removes all transformers, and what is added later runs`() async {
        let text = await result { pipeline in
            pipeline.clear()
            pipeline[.model].add(Appending("1"))
        }
        #expect(text == "1")
    }

    @Test func `Removing all caches keeps the transformers`() async {
        #expect(await result { $0.removeAllCaches() } == "rdpmc")
    }

    @Test func `A transformer added for content types runs on those alone`() async {
        bench.service.configure("/x") { configuration in
            configuration.pipeline.clear()
            configuration.pipeline[.model].add(Appending("1"), contentTypes: ["text/*", "x/y"])
        }
        #expect(await bench.content(of: .text("", contentType: "text/plain")) as? String == "1")
        #expect(await bench.content(of: .text("", contentType: "X/Y; z=1")) as? String == "1")
        #expect(await bench.content(of: .text("", contentType: "x/z")) is Data)
        #expect(await bench.content(of: .response(200)) is Data)
    }

    @Test func `A transformer added for no content type runs on nothing`() async {
        bench.service.configure("/x") { $0.pipeline[.model].add(Appending("1"), contentTypes: []) }
        #expect(await bench.content(of: .text("x")) as? String == "x")
    }

    @Test func `A transformer added for content types runs on errors by the type of their entity`() async {
        bench.service.configure("/x") { configuration in
            configuration.pipeline.clear()
            configuration.pipeline[.model].add(TextResponseTransformer(), contentTypes: ["text/*"])
        }
        #expect(await bench.error(of: .text("x", status: 500))?.text == "x")
        #expect(await bench.error(of: .text("x", contentType: "x/y", status: 500))?.entity?.content is Data)
        #expect(await bench.error(of: .failure(.timedOut))?.cause is URLError)
    }

    @Test func `Setting a stage replaces all of it`() async {
        var stage = PipelineStage()
        stage.add(Appending("!"))
        let replacement = stage
        #expect(await result { $0[.model] = replacement } == "rdp!c")
    }

    @Test func `A pipeline is a value`() {
        let original = Pipeline()
        var copy = original
        copy.order = [.model]
        #expect(original.order.count == 5)
    }

    // MARK: Keys

    @Test func `Keys are equal only if they are the same object`() {
        let key = PipelineStageKey(description: "key")
        let other = PipelineStageKey(description: "key")
        #expect(key == key)
        #expect(key != other)
        #expect(Set([key, other, key]).count == 2)
        #expect(key.description == "key")
    }

    @Test(arguments: [
        (PipelineStageKey.rawData, "rawData"), (.decoding, "decoding"), (.parsing, "parsing"), (.model, "model"),
        (.cleanup, "cleanup"),
    ])
    func `The standard stages describe themselves by their names`(key: PipelineStageKey, name: String) {
        #expect(key.description == name)
    }
}
