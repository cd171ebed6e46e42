import HTTPRules
import TestKit
import Testing

@Suite("RFC 9111 §3.1 and §3.2: stored fields", .timeLimit(.test))
struct StoredFieldsTests {
    @Test(
        arguments: [
            "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
            "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        ])
    func `Fields of the connection are neither stored nor updated`(name: String) {
        #expect(StoredFields.storable([name: "a", "etag": "b"]) == ["etag": "b"])
        #expect(StoredFields.updated(["etag": "b"], by: [name: "a"]) == ["etag": "b"])
    }

    @Test func `Fields that Connection names are neither stored nor updated`() {
        let response = ["connection": " Foo ,, BAR\t, close", "foo": "1", "bar": "2", "baz": "3"]
        #expect(StoredFields.storable(response) == ["baz": "3"])
        #expect(StoredFields.updated(["foo": "0"], by: response) == ["foo": "0", "baz": "3"])
    }

    @Test(
        arguments: [
            "cache-control", "content-language", "content-location", "content-security-policy", "etag", "expires",
            "last-modified", "set-cookie", "vary", "x-frame-options", "content-foo", "public",
        ])
    func `All other fields are stored and updated`(name: String) {
        #expect(StoredFields.storable([name: "new"]) == [name: "new"])
        #expect(StoredFields.updated([name: "old", "x": "1"], by: [name: "new"]) == [name: "new", "x": "1"])
        #expect(StoredFields.updated([:], by: [name: "new"]) == [name: "new"])
        #expect(StoredFields.updated([name: "old"], by: [:]) == [name: "old"])
    }

    // The age of the stored response counts from the update, so that its old `Date` and `Age` would make it too old.
    @Test(arguments: ["date", "age"])
    func `Date and Age are stored, and an update without them removes them (§4.2.3, RFC 9110 §6.6.1)`(name: String) {
        #expect(StoredFields.storable([name: "new"]) == [name: "new"])
        #expect(StoredFields.updated([name: "old", "x": "1"], by: [name: "new"]) == [name: "new", "x": "1"])
        #expect(StoredFields.updated([:], by: [name: "new"]) == [name: "new"])
        #expect(StoredFields.updated([name: "old", "x": "1"], by: [:]) == ["x": "1"])
        #expect(StoredFields.updated([name: "old"], by: [name: "new", "connection": name]) == [:])
    }

    @Test(
        arguments: [
            "content-type", "content-length", "content-encoding", "content-range", "content-digest", "content-md5",
            "digest", "repr-digest",
        ])
    func `Fields about the stored content are stored, but not updated`(name: String) {
        #expect(StoredFields.storable([name: "a"]) == [name: "a"])
        #expect(StoredFields.updated([name: "old"], by: [name: "new"]) == [name: "old"])
        #expect(StoredFields.updated([:], by: [name: "new"]) == [:])
    }

    @Test func `A shared cache does not store the fields of a qualified private (§5.2.2.7)`() {
        let fields = ["cache-control": "private=\"A, b\"", "a": "1", "b": "2", "c": "3"]
        #expect(StoredFields.storable(fields) == fields)
        #expect(StoredFields.storable(fields, in: .shared) == ["cache-control": "private=\"A, b\"", "c": "3"])
    }
}
