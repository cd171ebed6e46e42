import TestKit
import Testing

@testable import HTTPRules

/// Texts that look the same and have different bytes.
@Suite(.timeLimit(.test))
struct ExactTextTests {
    private static let pairs = [
        ("jos\u{e9}", "jose\u{301}"), ("K", "\u{212A}"), (";", "\u{37E}"), ("\u{1100}\u{1161}", "\u{AC00}"),
    ]

    @Test(arguments: pairs)
    func `Texts with different bytes are different, although Swift's strings are equal`(pair: (String, String)) {
        let texts = [ExactText(pair.0), ExactText(pair.1)]
        #expect(pair.0 == pair.1)
        #expect(texts[0] != texts[1])
        #expect(Set(texts).count == 2)
        #expect(ExactText(pair.0 + "") == texts[0])
    }

    @Test(arguments: pairs)
    func `Entity tags are compared byte for byte`(pair: (String, String)) throws {
        let (left, right) = ("\"\(pair.0)\"", "\"\(pair.1)\"")
        let tags = (try #require(EntityTag(left)), try #require(EntityTag(right)))
        #expect(tags.0 != tags.1)
        #expect(!tags.0.isWeaklyEqual(to: tags.1))
        #expect(tags.0.isWeaklyEqual(to: try #require(EntityTag("W/" + left))))
    }

    @Test(arguments: pairs)
    func `The values of selecting fields are compared byte for byte`(pair: (String, String)) {
        let vary = VaryField("X-User")
        #expect(!vary.matches(stored: ["x-user": pair.0], new: ["x-user": pair.1]))
        #expect(vary.matches(stored: ["x-user": pair.0], new: ["x-user": pair.0 + " "]))
    }
}
