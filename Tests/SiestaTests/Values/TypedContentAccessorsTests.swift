import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@MainActor @Suite(.timeLimit(.test))
struct TypedContentAccessorsTests {
    private struct Model: Equatable {
        let name: String
    }

    private class Animal {}
    private final class Cat: Animal {}

    private struct Holder: TypedContentAccessors {
        var entityForTypedContentAccessors: Entity<Any>?
    }

    private func holder(_ content: Any?) -> Holder {
        Holder(entityForTypedContentAccessors: content.map { Entity<Any>(content: $0, contentType: "a/b") })
    }

    // MARK: typedContent

    @Test func `typedContent gives content of the type asked for`() {
        let model: Model? = holder(Model(name: "x")).typedContent()
        #expect(model == Model(name: "x"))
    }

    @Test func `typedContent is nil for content of another type, and without content`() {
        let wrong: Model? = holder("text").typedContent()
        #expect(wrong == nil)
        let missing: Model? = holder(nil).typedContent()
        #expect(missing == nil)
    }

    @Test func `typedContent finds subclasses`() {
        let animal: Animal? = holder(Cat()).typedContent()
        #expect(animal is Cat)
        let cat: Cat? = holder(Animal()).typedContent()
        #expect(cat == nil)
    }

    @Test func `typedContent with a default gives the default when there is no such content`() {
        let fallback = Model(name: "default")
        #expect(holder(nil).typedContent(ifNone: fallback) == fallback)
        #expect(holder("text").typedContent(ifNone: fallback) == fallback)
        #expect(holder(Model(name: "x")).typedContent(ifNone: fallback) == Model(name: "x"))
    }

    @Test func `typedContent with an optional default gives the default, which may be nil`() {
        let none: Model? = nil
        let some: Model? = Model(name: "default")
        #expect(holder(nil).typedContent(ifNone: none) == nil)
        #expect(holder(nil).typedContent(ifNone: some) == some)
        #expect(holder(Model(name: "x")).typedContent(ifNone: none) == Model(name: "x"))
    }

    @Test func `The default is evaluated only if it is needed`() {
        var evaluations = 0
        func fallback() -> String {
            evaluations += 1
            return "default"
        }
        func optionalFallback() -> String? { fallback() }
        #expect(holder("present").typedContent(ifNone: fallback()) == "present")
        #expect(holder("present").typedContent(ifNone: optionalFallback()) == "present")
        #expect(evaluations == 0)
        #expect(holder(nil).typedContent(ifNone: fallback()) == "default")
        #expect(evaluations == 1)
    }

    // MARK: Shorthands

    @Test func `text is the content if it is a string, else empty`() {
        #expect(holder("some text").text == "some text")
        #expect(holder(5).text.isEmpty)
        #expect(holder(nil).text.isEmpty)
    }

    @Test func `jsonDict is the content if it is a dictionary, else empty`() {
        #expect(holder(["a": 1]).jsonDict["a"] as? Int == 1)
        #expect(holder(["a": NSNull()] as [String: Any]).jsonDict["a"] is NSNull)
        #expect(holder([1]).jsonDict.isEmpty)
        #expect(holder(nil).jsonDict.isEmpty)
    }

    @Test func `jsonArray is the content if it is an array, else empty`() {
        #expect(holder([1, "two"] as [Any]).jsonArray.count == 2)
        #expect(holder([1, 2]).jsonArray as? [Int] == [1, 2])
        #expect(holder(["a": 1]).jsonArray.isEmpty)
        #expect(holder(nil).jsonArray.isEmpty)
    }

    // MARK: Types with accessors

    @Test func `An entity of any static type has the accessors`() {
        #expect(Entity(content: "typed", contentType: "a/b").text == "typed")
        #expect(Entity<Any>(content: "untyped", contentType: "a/b").text == "untyped")
        #expect(Entity(content: ["a": "b"], contentType: "a/b").jsonDict["a"] as? String == "b")
    }

    @Test func `A request error has the accessors of its entity`() {
        var error = RequestError(
            userMessage: "x", cause: CocoaError(.featureUnsupported),
            entity: Entity<Any>(content: ["code": 7], contentType: "a/b"))
        #expect(error.jsonDict["code"] as? Int == 7)
        #expect(error.text.isEmpty)
        error.entity = nil
        #expect(error.jsonDict.isEmpty)
    }

    @Test func `A resource has the accessors of its latest data`() {
        let resource = Service(baseURL: "http://typed.test", networking: StubNetwork()).resource("/x")
        #expect(resource.text.isEmpty)
        #expect(resource.jsonDict.isEmpty)
        #expect(resource.jsonArray.isEmpty)
        resource.overrideLocalContent(with: "local")
        #expect(resource.text == "local")
        #expect(resource.typedContent(ifNone: "default") == "local")
        resource.overrideLocalContent(with: ["a": 1])
        #expect(resource.jsonDict["a"] as? Int == 1)
        resource.overrideLocalContent(with: [1, 2, 3])
        #expect(resource.jsonArray.count == 3)
        resource.overrideLocalContent(with: Model(name: "m"))
        let model: Model? = resource.typedContent()
        #expect(model == Model(name: "m"))
    }
}
