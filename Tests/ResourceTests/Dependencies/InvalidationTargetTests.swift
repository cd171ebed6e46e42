import HTTPRules
import TestKit
import Testing
@testable import SiestaCore

/// The URLs and tags that an invalidation reaches.
@Suite(.timeLimit(.test))
struct InvalidationTargetTests {
    @Test(
        arguments: [
            ("https://a.test/users/42", "https://a.test/users"),
            ("https://a.test/users/42/", "https://a.test/users"),
            ("https://a.test/users/42?x=/y", "https://a.test/users"),
            ("https://a.test/users/42#/z", "https://a.test/users"),
            ("https://a.test/users/42 POST abc", "https://a.test/users"),
            ("https://a.test/users/4%2F2", "https://a.test/users"),
            ("https://a.test/users", "https://a.test"),
            ("https://a.test/", nil),
            ("https://a.test", nil),
            (":", nil),
        ] as [(String, String?)])
    func `The collection is the URL without its last segment`(address: String, collection: String?) {
        #expect(InvalidationTarget.collection(of: address) == collection)
    }

    @Test func `A group reaches tags of its origin only, a tag reaches all`() {
        let target = InvalidationTarget(tags: ["t"], groups: ["g"], origin: URLOrigin(text: "https://A.test:443/x"))
        #expect(target.includes(tag: "g", at: "https://a.test/1"))
        #expect(!target.includes(tag: "g", at: "https://b.test/1"))
        #expect(!target.includes(tag: "g", at: "http://a.test/1"))
        #expect(target.includes(tag: "t", at: "https://b.test/1"))
        #expect(!target.includes(tag: "T", at: "https://a.test/1"))
    }

    @Test(arguments: ["PUT", "PATCH", "DELETE", "POST"])
    func `A collection includes the item to which the write was sent`(method: String) {
        var target = InvalidationTarget()
        target.insert(.collection, writtenTo: "https://a.test/users/42?x", method: method)
        #expect(target.paths == ["https://a.test/users", "https://a.test/users/42"])
    }
}
