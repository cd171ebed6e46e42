import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("An entity tag stands for a content", .timeLimit(.test))
struct EntityTagTests {
    @Test("the same for equal bytes on every run, and another for others")
    func ofBody() {
        let tag = EntityTag(of: Array("[]".utf8))
        #expect(tag == EntityTag(of: Array("[]".utf8)))
        #expect(tag != EntityTag(of: Array("[ ]".utf8)))
        #expect(tag.opaque.utf8.count == 32)
        #expect(EntityTag(of: []).description == "\"cbf29ce484222325" + Hash64([], salt: 1).hexadecimal + "\"")
    }

    @Test("and is found in lists, weak ones marked")
    func lists() {
        #expect(EntityTag.list("W/\"a\", \"b\"") == [EntityTag("a", isWeak: true), EntityTag("b")])
        #expect(EntityTag.list(" ,, \"\"") == [EntityTag("")])
        #expect(EntityTag.list("\"a\", broken, \"b\"") == [EntityTag("a")])
        #expect(EntityTag("a", isWeak: true).description == "W/\"a\"")
    }
}
