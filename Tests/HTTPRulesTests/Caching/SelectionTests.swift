import HTTPRules
import TestKit
import Testing

@Suite("RFC 9111 §4.3.4 and §4.3.5: the response that a 304 or a HEAD means", .timeLimit(.test))
struct SelectionTests {
    private static let (early, late) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Mon, 07 Nov 1994 08:49:37 GMT")

    private static func fields(_ tag: String?, _ modified: String?) -> [String: String] {
        var fields: [String: String] = [:]
        fields["etag"] = tag
        fields["last-modified"] = modified
        return fields
    }

    typealias Case = (
        stored: (tag: String?, modified: String?), new: (tag: String?, modified: String?), StoredFields.Selection
    )

    @Test(
        arguments: [
            (("\"a\"", nil), ("\"a\"", nil), .match), (("\"a\"", nil), ("\"b\"", nil), .mismatch),
            (("\"a\"", early), ("\"a\"", late), .match), (("\"a\"", early), ("\"b\"", early), .mismatch),
            (("W/\"a\"", nil), ("\"a\"", nil), .mismatch), ((nil, early), ("\"a\"", early), .mismatch),
            ((nil, nil), ("\"a\"", nil), .mismatch),
            (("W/\"a\"", early), ("\"a\"", late), .mismatch), (("W/\"a\"", early), ("\"a\"", nil), .mismatch),
            (("W/\"a\"", early), ("\"a\"", early), .mismatch),
            (("\"a\"", early), ("W/\"a\"", early), .match), (("W/\"a\"", early), ("\"b\"", early), .mismatch),
            (("\"a\"", nil), ("W/\"a\"", nil), .match), (("W/\"a\"", nil), ("W/\"a\"", nil), .match),
            (("W/\"a\"", nil), ("W/\"b\"", nil), .mismatch), (("W/\"a\"", early), ("W/\"a\"", late), .mismatch),
            (("W/\"a\"", early), ("W/\"a\"", early), .match), (("W/\"a\"", nil), ("W/\"a\"", early), .match),
            ((nil, early), ("W/\"a\"", early), .mismatch),
            (("\"a\"", early), (nil, early), .match), ((nil, early), (nil, early), .match),
            ((nil, early), (nil, late), .mismatch), (("\"a\"", nil), (nil, early), .mismatch),
            ((nil, nil), (nil, early), .mismatch), ((nil, nil), (nil, nil), .match),
            (("\"a\"", nil), (nil, nil), .unnamed), ((nil, early), (nil, nil), .unnamed),
            (("\"a\"", early), ("", nil), .unnamed),
        ] as [Case])
    func `A strong validator decides before weak ones (§4.3.4)`(test: Case) {
        let (stored, new) = (
            Self.fields(test.stored.tag, test.stored.modified), Self.fields(test.new.tag, test.new.modified)
        )
        #expect(StoredFields.selection(of: stored, by304: new) == test.2)
    }

    @Test(arguments: [(early, early, false), (late, early, true), (late, late, false)])
    func `A strong tag means the same weak one if a strong date is the same, too (RFC 9110 §8.8.2.2)`(
        date: String, modified: String, isMatch: Bool
    ) {
        var stored = Self.fields("W/\"a\"", Self.early)
        stored["date"] = date
        let selection = StoredFields.selection(of: stored, by304: Self.fields("\"a\"", modified))
        #expect(selection == (isMatch ? .match : .mismatch))
        #expect(StoredFields.selection(of: stored, by304: Self.fields("\"b\"", modified)) == .mismatch)
    }

    @Test(
        arguments: [
            ([:], [:], true), (["etag": "\"a\""], [:], true), (["etag": "\"a\""], ["etag": "\"a\""], true),
            (["etag": "\"\u{E9}\""], ["etag": "\"e\u{301}\""], false),
            (["etag": "\"a\""], ["etag": "\"b\""], false), ([:], ["etag": "\"a\""], false),
            (["last-modified": early], ["last-modified": early], true),
            (["last-modified": early], ["last-modified": late], false),
            (["content-length": "5"], ["content-length": "5"], true),
            (["content-length": "5"], ["content-length": "6"], false), ([:], ["content-length": "6"], false),
            (["etag": "\"a\"", "content-length": "5"], ["etag": "\"a\"", "content-length": "6"], false),
            (["etag": "\"a\"", "content-length": "5"], ["etag": "\"a\"", "x": "y"], true),
        ] as [([String: String], [String: String], Bool)])
    func `A HEAD confirms a response if all that it states matches (§4.3.5)`(
        stored: [String: String], new: [String: String], isConfirmed: Bool
    ) {
        #expect(StoredFields.isConfirmed(stored, byHead: new) == isConfirmed)
    }
}
