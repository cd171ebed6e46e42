import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct ResponseContentTransformerTests {
    private struct Refusal: Error {}

    private func success(_ content: Any) -> Response {
        .success(Entity<Any>(content: content, charset: "c", headers: ["X-A": "b"], timestamp: 9))
    }

    private func failure(_ content: Any?) -> Response {
        var error = RequestError(
            userMessage: "original", cause: Refusal(),
            entity: content.map { Entity<Any>(content: $0, contentType: "a/b") })
        error.httpStatusCode = 500
        return .failure(error)
    }

    private let counting = ResponseContentTransformer { (entity: Entity<String>) in entity.content.count }

    // MARK: Conversion

    @Test func `The content is replaced, and all else of the entity is kept`() throws {
        let entity = try counting.process(success("four")).get()
        #expect(entity.content as? Int == 4)
        #expect(entity.charset == "c")
        #expect(entity.headers == ["x-a": "b"])
        #expect(entity.timestamp == 9)
    }

    @Test func `The conversion gets the whole entity`() throws {
        let transformer = ResponseContentTransformer { (entity: Entity<String>) in
            [entity.content, entity.charset, entity.header(forKey: "x-a"), String(entity.timestamp)]
        }
        #expect(try transformer.process(success("x")).get().content as? [String?] == ["x", "c", "b", "9.0"])
    }

    @Test func `A conversion from Any takes everything`() throws {
        let transformer = ResponseContentTransformer { (entity: Entity<Any>) in "\(entity.content)" }
        #expect(try transformer.process(success(12)).get().content as? String == "12")
    }

    // MARK: Refusal

    @Test func `Throwing a request error makes that the response`() {
        let transformer = ResponseContentTransformer { (_: Entity<String>) -> Int? in
            throw RequestError(userMessage: "mine", cause: Refusal())
        }
        let error = transformer.process(success("x")).failure
        #expect(error?.userMessage == "mine")
        #expect(error?.cause is Refusal)
        #expect(error?.entity == nil)
    }

    @Test func `Another error becomes the cause of "Cannot parse server response"; the entity is the input`() {
        let transformer = ResponseContentTransformer { (_: Entity<String>) -> Int? in throw Refusal() }
        let error = transformer.process(success("input")).failure
        #expect(error?.userMessage == "Cannot parse server response")
        #expect(error?.cause is Refusal)
        #expect(error?.text == "input")
        #expect(error?.entity?.header(forKey: "x-a") == "b")
    }

    @Test func `Returning nil fails with TransformerReturnedNil, which names the transformer`() {
        let transformer = ResponseContentTransformer { (_: Entity<String>) -> Int? in nil }
        let error = transformer.process(success("x")).failure
        let cause = error?.cause as? RequestError.Cause.TransformerReturnedNil
        #expect(cause?.transformer is ResponseContentTransformer<String, Int>)
        #expect(error?.userMessage == "Cannot parse server response")
    }

    // MARK: Input of another type

    @Test func `Content of another type fails with WrongInputTypeInTranformerPipeline, which names both types`() {
        let error = counting.process(success(12)).failure
        let cause = error?.cause as? RequestError.Cause.WrongInputTypeInTranformerPipeline
        #expect(cause.map { $0.expectedType == String.self } == true)
        #expect(cause.map { $0.actualType == Int.self } == true)
        #expect(cause?.transformer is ResponseContentTransformer<String, Int>)
        #expect(error?.userMessage == "Cannot parse server response")
    }

    @Test func `With skip, content of another type passes unchanged`() throws {
        let transformer = ResponseContentTransformer(onInputTypeMismatch: .skip) { (_: Entity<String>) in 0 }
        #expect(try transformer.process(success(2.5)).get().content as? Double == 2.5)
        #expect(try transformer.process(success(12)).get().content as? Int == 12)
        #expect(try transformer.process(success("x")).get().content as? Int == 0)
    }

    @Test
    func `With skipIfOutputTypeMatches, content of the output type passes unchanged, other content fails`() throws {
        let transformer = ResponseContentTransformer(onInputTypeMismatch: .skipIfOutputTypeMatches) {
            (_: Entity<String>) in 0
        }
        #expect(try transformer.process(success(12)).get().content as? Int == 12)
        #expect(try transformer.process(success("x")).get().content as? Int == 0)
        let cause = transformer.process(success(2.5)).failure?.cause
        #expect(cause is RequestError.Cause.WrongInputTypeInTranformerPipeline)
    }

    // MARK: Errors

    @Test func `Errors pass unchanged unless the transformer is told otherwise`() {
        let error = counting.process(failure("four")).failure
        #expect(error?.text == "four")
        #expect(error?.userMessage == "original")
    }

    @Test func `With transformErrors the entity of an error is converted, and the error is else as it was`() {
        let transformer = ResponseContentTransformer(transformErrors: true) { (entity: Entity<String>) in
            entity.content.count
        }
        let error = transformer.process(failure("four")).failure
        #expect(error?.entity?.content as? Int == 4)
        #expect(error?.entity?.contentType == "a/b")
        #expect(error?.userMessage == "original")
        #expect(error?.cause is Refusal)
        #expect(error?.httpStatusCode == 500)
    }

    @Test func `With transformErrors an error without an entity passes unchanged`() {
        let transformer = ResponseContentTransformer(transformErrors: true) { (_: Entity<String>) -> Int? in
            Issue.record("There is nothing to convert")
            return 0
        }
        #expect(transformer.process(failure(nil)).failure?.userMessage == "original")
    }

    @Test func `If converting the entity of an error fails, the error stays as it was`() {
        let throwing = ResponseContentTransformer(transformErrors: true) { (_: Entity<String>) -> Int? in
            throw Refusal()
        }
        let throwingRequestError = ResponseContentTransformer(transformErrors: true) { (_: Entity<String>) -> Int? in
            throw RequestError(userMessage: "another", cause: Refusal())
        }
        let returningNil = ResponseContentTransformer(transformErrors: true) { (_: Entity<String>) -> Int? in nil }
        let transformers: [any ResponseTransformer] = [throwing, throwingRequestError, returningNil]
        for transformer in transformers {
            let error = transformer.process(failure("four")).failure
            #expect(error?.text == "four")
            #expect(error?.userMessage == "original")
        }
        let mismatch = throwing.process(failure(5)).failure
        #expect(mismatch?.entity?.content as? Int == 5)
        #expect(mismatch?.userMessage == "original")
    }

    // MARK: Description

    @Test func `The description names both types`() {
        #expect(counting.debugDescription.contains("String"))
        #expect(counting.debugDescription.contains("Int"))
    }

    @Test func `The description of a transformer of one's own is the name of its type`() {
        #expect(Appending("x").debugDescription == "Appending")
    }

    @Test func `Logging a transformation returns the response`() throws {
        #expect(try Appending("x").logTransformation(success(5)).get().content as? Int == 5)
    }
}
