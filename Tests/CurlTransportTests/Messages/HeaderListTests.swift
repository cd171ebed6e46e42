#if os(Linux)
import TestKit
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.test))
struct HeaderListTests {
    private let list: HeaderList = [
        "Accept": "a/b", "X-Two": "one", "Set-Cookie": "a=1, b", "x-two": "two", "set-cookie": "c=2", "Empty": "",
    ]

    @Test(arguments: ["Accept", "accept", "ACCEPT"])
    func `Names are compared without regard to case`(name: String) {
        #expect(list[name] == "a/b")
        #expect(list.contains(name))
    }

    @Test func `Bytes that differ from letters in the bit for case are other names`() {
        #expect(HeaderList(dictionaryLiteral: ("a[", "1"))["A{"] == nil)
        #expect(HeaderList(dictionaryLiteral: ("a@", "1"))["a`"] == nil)
    }

    @Test func `Repeated fields are joined, cookies are not`() {
        #expect(list["X-TWO"] == "one, two")
        #expect(list["Set-Cookie"] == "a=1, b")
        #expect(list.values(of: "set-cookie") == ["a=1, b", "c=2"])
    }

    @Test func `A field that is missing is nil, one without a value is empty`() {
        #expect(list["Nothing"] == nil)
        #expect(list.values(of: "Nothing").isEmpty)
        #expect(list["Empty"]?.isEmpty == true)
    }

    @Test func `Fields keep their order and the case of their names`() {
        #expect(list.map(\.name) == ["Accept", "X-Two", "Set-Cookie", "x-two", "set-cookie", "Empty"])
        #expect(list.map(\.value) == ["a/b", "one", "a=1, b", "two", "c=2", ""])
    }

    @Test func `Setting replaces all fields of a name, at the end; setting nil removes them`() {
        var list = list
        list["X-TWO"] = "three"
        #expect(list.map(\.name) == ["Accept", "Set-Cookie", "set-cookie", "Empty", "X-TWO"])
        #expect(list["x-two"] == "three")
        list["x-two"] = nil
        #expect(!list.contains("X-Two"))
        #expect(list.count == 4)
    }

    @Test func `Removing leaves the others as they were`() {
        var list = list
        list.remove(["SET-COOKIE", "empty", "nothing"])
        #expect(list == ["Accept": "a/b", "X-Two": "one", "x-two": "two"])
    }

    @Test func `Removing by a property leaves the others as they were`() {
        var list = list
        list.remove { $0.lowercased().hasPrefix("x-") || $0 == "Empty" }
        #expect(list == ["Accept": "a/b", "Set-Cookie": "a=1, b", "set-cookie": "c=2"])
    }

    @Test func `Combined, each name comes once, where it was first; repeated fields are joined, cookies are not`() {
        let combined = list.combined
        #expect(combined.map(\.name) == ["Accept", "X-Two", "Set-Cookie", "Empty"])
        #expect(combined.map(\.value) == ["a/b", "one, two", "a=1, b", ""])
    }

    @Test func `What is not UTF-8 is read as Latin-1`() {
        var list = HeaderList()
        list.append("Name".utf8, [0x63, 0x61, 0x66, 0xE9])
        list.append("Name8".utf8, "café".utf8)
        #expect(list["name"] == "café")
        #expect(list["name8"] == "café")
    }
}
#endif
