import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@MainActor @Suite(.timeLimit(.test))
struct ConfigureTransformerTests {
    private struct Model: Equatable, Sendable {
        let name: String
    }

    private let bench = PipelineBench()

    // MARK: Defaults

    @Test func `The transformer is in the model stage`() async {
        bench.service.configureTransformer("/x") { (entity: Entity<String>) in entity.content + " model" }
        bench.service.configure("/x") { configuration in
            configuration.pipeline[.parsing].add(Appending(" parsed"))
            configuration.pipeline[.cleanup].add(Appending(" clean"))
        }
        #expect(await bench.content(of: .text("x")) as? String == "x parsed model clean")
    }

    @Test func `It replaces the transformers that the stage had`() async {
        bench.service.configure("/x") { $0.pipeline[.model].add(Appending(" old")) }
        bench.service.configureTransformer("/x") { (entity: Entity<String>) in entity.content + " new" }
        #expect(await bench.content(of: .text("x")) as? String == "x new")
    }

    @Test(arguments: [RequestMethod.get, .put, .post, .patch, .delete])
    func `It is for get, put, post, patch and delete`(method: RequestMethod) async throws {
        bench.service.configureTransformer("/x") { (entity: Entity<String>) in Model(name: entity.content) }
        #expect(try await bench.response(to: .text("x"), method: method).get().content as? Model == Model(name: "x"))
    }

    @Test func `It is not for options`() async throws {
        bench.service.configureTransformer("/x") { (entity: Entity<String>) in Model(name: entity.content) }
        #expect(try await bench.response(to: .text("x"), method: .options).get().content as? String == "x")
    }

    @Test func `Content of another type is an error`() async {
        bench.service.configureTransformer("/x") { (entity: Entity<String>) in Model(name: entity.content) }
        let cause = await bench.error(of: .json("{}"))?.cause
        #expect(cause is RequestError.Cause.WrongInputTypeInTranformerPipeline)
    }

    @Test func `Errors pass unchanged`() async {
        bench.service.configureTransformer("/x") { (entity: Entity<String>) in Model(name: entity.content) }
        #expect(await bench.error(of: .text("x", status: 500))?.text == "x")
    }

    // MARK: Options

    @Test func `It can be in another stage, and leaves the rest of the pipeline alone`() async {
        bench.service.configureTransformer("/x", atStage: .cleanup) { (entity: Entity<String>) in
            Model(name: entity.content)
        }
        bench.service.configure("/x") { $0.pipeline[.model].add(Appending("!")) }
        #expect(await bench.content(of: .text("x")) as? Model == Model(name: "x!"))
    }

    @Test func `In the parsing stage it replaces the standard transformers`() async {
        bench.service.configureTransformer("/x", atStage: .parsing) { (entity: Entity<Data>) in entity.content.count }
        #expect(await bench.content(of: .json("[12]")) as? Int == 4)
        #expect(await bench.content(of: .text("12")) as? Int == 2)
    }

    @Test func `It can be appended to the transformers that the stage has`() async {
        bench.service.configureTransformer("/x") { (entity: Entity<String>) in entity.content + "1" }
        bench.service.configureTransformer("/x", action: .appendToExisting) { (entity: Entity<String>) in
            entity.content + "2"
        }
        #expect(await bench.content(of: .text("x")) as? String == "x12")
        bench.service.configureTransformer("/x", action: .replaceExisting) { (entity: Entity<String>) in
            entity.content + "3"
        }
        #expect(await bench.content(of: .text("x")) as? String == "x3")
    }

    @Test func `It can be for other methods`() async throws {
        bench.service.configureTransformer("/x", requestMethods: [.options]) { (_: Entity<String>) in 12 }
        #expect(try await bench.response(to: .text("x"), method: .options).get().content as? Int == 12)
        #expect(try await bench.response(to: .text("x"), method: .get).get().content as? String == "x")
    }

    @Test func `It can skip content of other types`() async {
        bench.service.configureTransformer("/x", onInputTypeMismatch: .skip) { (entity: Entity<String>) in
            Model(name: entity.content)
        }
        #expect(await bench.content(of: .json("[1]")) as? [Int] == [1])
        #expect(await bench.content(of: .text("x")) as? Model == Model(name: "x"))
    }

    @Test func `It can skip content of the output type`() async {
        bench.service.configureTransformer(
            "/x", atStage: .parsing, action: .appendToExisting,
            onInputTypeMismatch: .skipIfOutputTypeMatches
        ) { (entity: Entity<Data>) -> String? in "\(entity.content.count) bytes" }
        #expect(await bench.content(of: .text("x")) as? String == "x")
        #expect(await bench.content(of: .response(200, body: Data([1, 2]))) as? String == "2 bytes")
        #expect(await bench.error(of: .json("{}")) != nil)
    }

    @Test func `It can convert the entities of errors`() async {
        bench.service.configureTransformer("/x", transformErrors: true) { (entity: Entity<String>) in
            Model(name: entity.content)
        }
        let error = await bench.error(of: .text("x", status: 500))
        #expect(error?.entity?.content as? Model == Model(name: "x"))
        #expect(error?.httpStatusCode == 500)
    }

    // MARK: Patterns

    @Test func `It is for the resources that match`() async throws {
        bench.service.configureTransformer("/x*") { (entity: Entity<String>) in Model(name: entity.content) }
        bench.service.configureTransformer(try NSRegularExpression(pattern: "y$")) { (_: Entity<String>) in 12 }
        bench.service.configureTransformer(bench.service.resource("/z")) { (_: Entity<String>) in 2.5 }
        for path in ["/x1", "/y", "/z", "/other"] { bench.network.answer(.get, path, with: .text("text")) }
        for path in ["/x1", "/y", "/z", "/other"] { await bench.service.resource(path).load().completion() }
        #expect(bench.service.resource("/x1").typedContent() == Model(name: "text"))
        #expect(bench.service.resource("/y").typedContent() == 12)
        #expect(bench.service.resource("/z").typedContent() == 2.5)
        #expect(bench.service.resource("/other").text == "text")
    }

    @Test func `The closure gets the whole entity`() async {
        bench.service.configureTransformer("/x") { (entity: Entity<String>) in
            Model(name: entity.content + (entity.header(forKey: "x-more") ?? ""))
        }
        #expect(await bench.content(of: .text("x", headers: ["X-More": "y"])) as? Model == Model(name: "xy"))
    }

    @Test func `Decoding a Codable model is an example`() async {
        struct User: Decodable, Equatable, Sendable { let name: String }
        bench.service.configureTransformer("/x", atStage: .parsing) { (entity: Entity<Data>) in
            try JSONDecoder().decode(User.self, from: entity.content)
        }
        #expect(await bench.content(of: .json(#"{"name": "Ada"}"#)) as? User == User(name: "Ada"))
        let error = await bench.error(of: .json("{}"))
        #expect(error?.cause is DecodingError)
        #expect(error?.userMessage == "Cannot parse server response")
    }
}
