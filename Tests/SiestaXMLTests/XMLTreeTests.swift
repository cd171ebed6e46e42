import Foundation
import SiestaCore
import SiestaXML
import TestKit
import Testing

/// Documents as trees.
@Suite(.timeLimit(.test))
struct XMLTreeTests {
    private func root(_ text: String) throws -> XMLTree.Element { try XMLTree(Data(text.utf8)).root }

    @Test func `A tree has elements, attributes and text in document order, and neither comments nor instructions`()
        throws
    {
        let root = try root(
            """
            <?xml version="1.0"?><!-- c --><?t d?>
            <list size="2" b='&lt;"&#65;'><item>one &amp; two</item>x<item/><!-- y -->z</list><!-- end -->
            """)
        #expect(root.name == XMLTree.Name("list"))
        #expect(root.attributes.map(\.name.localName) == ["b", "size"])
        #expect(root.attribute("b") == "<\"A")
        #expect(root.children.count == 4)
        #expect(root.children[1] == .text("x"))
        #expect(root.children[3] == .text("z"))
        #expect(root.elements.map(\.text) == ["one & two", ""])
        #expect(root.text == "xz")
        #expect(root.stringValue == "one & twoxz")
        #expect(root.line == 2)
        #expect(root["item"]?.text == "one & two")
        #expect(root["none"] == nil)
        #expect(root.attribute("none") == nil)
    }

    @Test(arguments: [
        ("<a>x<![CDATA[<y>&amp;]]]]><![CDATA[>]]>z</a>", "x<y>&amp;]]>z"),
        ("<a>x\r\ny\rz</a>", "x\ny\nz"),
        ("<a><![CDATA[\rx\r\r\n\ny\r]]>\n\r&#13;</a>", "\nx\n\n\ny\n\n\n\r"), ("<a>1&#10;2&#x20AC;</a>", "1\n2€"),
        ("<a> <b> </b>\n</a>", "  \n"),
        ("<a>a<!-- b -->c<?d e?>f</a>", "acf"),
        ("<?x?><?y z?><a>a<?b?>c<?d?><!----></a><?e?>", "ac"), ("<a>1<?b ?>2<?c ?><?d <x> ?>3</a>", "123"),
        ("<a>]]<?x?>></a>", "]]>"), ("<a>1<?xml-x y?>2<?XMLX?>3<?b\n?>4<?c \u{1F600}>?></a>", "1234"),
        ("<a><![CDATA[]]></a>", ""), ("<a><![CDATA[<?x?>]]><!-- <?y?> --></a>", "<?x?>"),
        ("<a>\(String(repeating: "😀é", count: 3000))</a>", String(repeating: "😀é", count: 3000)),
    ])
    func `Text has its references and CDATA sections replaced, and its line ends are LF`(
        _ document: String, _ text: String
    ) throws {
        let root = try root(document)
        #expect(Array(root.stringValue.utf8) == Array(text.utf8))
        #expect(root.elements.count == (document.contains("<b>") ? 1 : 0))
        if root.elements.isEmpty { #expect(root.children == (text.isEmpty ? [] : [.text(text)])) }
    }

    @Test func `Names have their namespaces, and the prefix does not matter`() throws {
        let root = try root(
            """
            <a xmlns='u:1' xmlns:p='u:2' p:x='1' x='2' xml:lang='de'>
            <p:b/><c xmlns=''/><q:b xmlns:q='u:2' xmlns='u:3'><d/></q:b><e/></a>
            """)
        #expect(root.name == XMLTree.Name("a", namespace: "u:1"))
        #expect(root.attribute("x") == "2")
        #expect(root.attribute("x", namespace: "u:2") == "1")
        #expect(root.attribute("lang", namespace: "http://www.w3.org/XML/1998/namespace") == "de")
        #expect(root.attributes.count == 3)
        #expect(root.elements.map(\.name.namespace) == ["u:2", nil, "u:2", "u:1"])
        #expect(root.elements("b").count == 2)
        #expect(root.elements("b", namespace: "u:2").map(\.name.prefix) == ["p", "q"])
        #expect(root.elements("b", namespace: nil).isEmpty)
        #expect(root["c", namespace: nil] != nil)
        #expect(root.elements("b")[1]["d"]?.name.namespace == "u:3")
        #expect(root.elements[0] != root.elements[2])
        #expect(root.elements[0].name == root.elements[2].name)
        #expect("\(root.elements[2].name)" == "q:b")
    }

    @Test func `Prefixes that are equal as strings differ if their bytes differ`() throws {
        let root = try root("<a xmlns:\u{E9}='u:1'><b xmlns:e\u{301}='u:2'><\u{E9}:c \u{FC}='='/></b></a>")
        #expect(root["b"]?["c", namespace: "u:1"]?.attribute("\u{FC}") == "=")
    }

    @Test(
        arguments: [
            ("", .empty, 1), ("   ", .empty, 1), ("<!-- c -->", .empty, 1), ("<a><b>", .incomplete, 1),
            ("<a/><b/>", .contentAfterRoot, 1), ("<a/>x", .contentAfterRoot, 1), ("<a>\n\n</b>", .mismatchedTag, 3),
            ("<a x='1' x='2'/>", .duplicateAttribute, 1), ("<a>\n&nbsp;</a>", .undeclaredEntity, 2),
            ("<a b='&nbsp;'/>", .undeclaredEntity, 1), ("<a>&#1;</a>", .illegalCharacter, 1),
            ("<a>\n\u{0}</a>", .illegalCharacter, 2), ("<a>\u{1}</a>", .illegalCharacter, 1),
            ("<a xmlns:p='u' xmlns:q='u' p:x='1' q:x='2'/>", .duplicateAttribute, 1),
            ("<a>\n<b \u{E9}='1' c='>' e\u{301} = '2'/></a>", .duplicateAttribute, 2),
            ("<a xmlns:\u{E9}='u:1' xmlns:e\u{301}='u:2'/>", .duplicateAttribute, 1),
            ("<a xmlns:p=''/>", .invalidNamespace(prefix: ""), 1),
            ("<a xmlns:xml='u'/>", .invalidNamespace(prefix: ""), 1), ("<p:a/>", .invalidNamespace(prefix: "p"), 1),
            ("<a>\n<b p:x='1'/></a>", .invalidNamespace(prefix: "p"), 2),
        ] as [(String, RequestError.Cause.InvalidXML.Reason, Int)])
    func `A malformed document is an error with a line`(
        _ text: String, _ reason: RequestError.Cause.InvalidXML.Reason, _ line: Int
    ) {
        let error = #expect(throws: RequestError.Cause.InvalidXML.self) { try root(text) }
        #expect(error?.reason == reason)
        #expect(max(error?.line ?? 0, 1) == line)
    }

    @Test(arguments: [
        "<a>]]></a>", "<a b=1/>", "<a b/>", "<a b='<'/>", "<1/>", "<a><!-- -- --></a>", "x<a/>", "<a/", "<a>&x</a>",
        "<p:a/>", "<a p:x='1'/>", "<:a/>", "<a:/>", "<a xmlns:p='u'><p:b:c/></a>", "<![CDATA[x]]><a/>", "<a></a",
        "<a b='1'c='2'/>", "<a>&#xD800;</a>", "<?xml version='1.0'", "<a/><?xml version='1.0'?>", "<a \u{FFFF}='1'/>",
        "<a xmlns:xmlns='u'/>",
        "<a><?xml version='1.0'?></a>", "<a><?XML x?></a>", "<a><??></a>", "<?xml?><a/>",
        "<?xml encoding='utf-8'?><a/>",
        "<?xml version='2.0'?><a/>", "<?xml version='1.0' standalone='maybe'?><a/>", "<?xml version='1.0' x='1'?><a/>",
        "<a><?></a>", "<?>", "<a><? x?></a>",
        "<a><?x", "<?1?><a/>",
        "<?x<y?><a/>",
        "<a><?x \u{1}?></a>", "<a>]]<?x?>&gt;]]></a>", "<a xmlns:p='http://www.w3.org/2000/xmlns/'/>",
    ])
    func `Every other malformed document is an error, too`(_ text: String) {
        let error = #expect(throws: RequestError.Cause.InvalidXML.self) { try root(text) }
        #expect(error?.errorDescription == UserMessages.current.cannotParseResponse)
    }

    @Test func `The description of an error names the line and the remedy`() {
        let error = #expect(throws: RequestError.Cause.InvalidXML.self) { try root("<a>\n&nbsp;</a>") }
        #expect("\(String(describing: error))".contains("line 2: an entity is not known"))
        #expect("\(String(describing: error))".contains("&#160;"))
    }

    private static let text = "ü€😀"

    @Test(
        arguments: [
            (String.Encoding.utf8, nil, ""), (.utf8, nil, " encoding='UTF-8'"), (.utf16, nil, " encoding='UTF-16'"),
            (.utf16LittleEndian, nil, ""), (.utf16BigEndian, nil, ""), (.utf32LittleEndian, nil, ""),
            (.utf32BigEndian, nil, ""), (.utf8, "utf-8", " encoding='ISO-8859-1'"), (.utf8, nil, " encoding='UTF-16'"),
            (.utf16BigEndian, "utf-16be", " encoding='UTF-8'"), (.utf16, "iso-8859-1", ""),
        ] as [(String.Encoding, String?, String)])
    func `The encoding comes from the byte order mark, the header, then the declaration`(
        _ encoding: String.Encoding, _ charset: String?, _ declaration: String
    ) throws {
        let data = try #require("<?xml version='1.0'\(declaration)?>\n<a>\(Self.text)</a>".data(using: encoding))
        let root = try XMLTree(data, charset: charset).root
        #expect(root.text == Self.text)
        #expect(root.line == 2)
    }

    @Test func `Other encodings are decoded, and a mark before UTF-8 is removed`() throws {
        let declared = "<?xml version='1.0' encoding=\"ISO-8859-1\" standalone='yes'?><a>ü</a>"
        #expect(try XMLTree(#require(declared.data(using: .isoLatin1))).root.text == "ü")
        #expect(try XMLTree(Data([0xEF, 0xBB, 0xBF]) + Data("<a>ü</a>".utf8), charset: "iso-8859-1").root.text == "ü")
        let slice = (Data("xx".utf8) + Data("<a>ü</a>".utf8))[2...]
        #expect(try XMLTree(slice).root.text == "ü")
    }

    @Test func `An unknown encoding and illegal bytes are errors`() {
        let unknown = #expect(throws: RequestError.Cause.InvalidXML.self) {
            try XMLTree(Data("<?xml version='1.0' encoding='klingon'?><a/>".utf8))
        }
        #expect(unknown?.reason == .unknownEncoding("klingon"))
        let illegal = #expect(throws: RequestError.Cause.InvalidXML.self) {
            try XMLTree(Data("<a>".utf8) + Data([0xFF]) + Data("</a>".utf8))
        }
        #expect(illegal?.reason == .undecodableText(encoding: "utf-8"))
    }
}
