import Foundation
import SiestaCore
import SiestaXML
import TestKit
import Testing

/// Documents that try to use too much time or memory, or to read files.
@Suite(.timeLimit(.model))
struct XMLHostileTests {
    private func reason(
        _ text: String, _ limits: XMLLimits = XMLLimits()
    ) -> RequestError.Cause.InvalidXML.Reason? {
        do {
            _ = try XMLTree(Data(text.utf8), limits: limits)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func `Entities that multiply each other are refused`() {
        var text = "<!DOCTYPE lolz [<!ENTITY lol0 'lol'>"
        for level in 1...9 {
            let references = String(repeating: "&lol\(level - 1);", count: 10)
            text += "<!ENTITY lol\(level) '\(references)'>"
        }
        #expect(reason(text + "]><lolz>&lol9;</lolz>") == .documentTypeDeclaration)
    }

    @Test(arguments: [
        "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>&e;</a>",
        "<!DOCTYPE a [<!ENTITY e SYSTEM 'http://127.0.0.1:1/'>]><a b='&e;'/>",
        "<!DOCTYPE a [<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p;]><a/>", "<!DOCTYPE a []><a/>",
        "<!-- c --><?t d?>\n<!DOCTYPE a SYSTEM \"a'>.dtd\" [<!ELEMENT a ANY>]><a/>",
        "<!DOCTYPE a [<!ATTLIST a b CDATA 'default'>]><a/>",
    ])
    func `An internal subset is refused, in every encoding`(_ text: String) throws {
        #expect(reason(text) == .documentTypeDeclaration)
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian] {
            let data = try #require(text.data(using: encoding))
            let error = #expect(throws: RequestError.Cause.InvalidXML.self) { try XMLTree(data) }
            #expect(error?.reason == .documentTypeDeclaration)
        }
    }

    @Test(arguments: [
        "<!DOCTYPE a>", "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'http://127.0.0.1:1/x.dtd'>",
        "<?xml version='1.0'?>\n<!DOCTYPE a SYSTEM \"file:///etc/passwd\">", "<!DOCTYPE a SYSTEM '[>'>",
        "<!DOCTYPE\t\u{FC}-1.\u{B7}:_\nPUBLIC  \"a'b\"\n'[ü>' \n>", "<!DOCTYPE a \n>",
    ])
    func `A document type without an internal subset is ignored`(_ head: String) throws {
        let tree = try XMLTree(Data("\(head)\n<a>x</a>".utf8))
        #expect(tree.root.text == "x")
        #expect(tree.root.line == head.count { $0 == "\n" } + 2)
        #expect(reason("\(head)<a>&nbsp;</a>") == .undeclaredEntity)
    }

    @Test(arguments: [
        "<a/><!DOCTYPE a []>", "<a><!DOCTYPE a []></a>", "<!DOCTYPE a><!DOCTYPE a []><a/>", "<!ENTITY e 'x'><a/>",
        "<!doctype a><a/>", "<!DOCTYPE a", "<!DOCTYPE>", "<!DOCTYPEa><a/>", "<!DOCTYPE 1><a/>", "<!DOCTYPE a b><a/>",
        "<!DOCTYPE ><a/>", "<!DOCTYPE a 'x'><a/>", "<!DOCTYPE a SYSTEM><a/>", "<!DOCTYPE a SYSTEM'x'><a/>",
        "<!DOCTYPE a SYSTEM x><a/>", "<!DOCTYPE a SYSTEM 'x' 'y'><a/>", "<!DOCTYPE a SYSTEM '\u{1}'><a/>",
        "<!DOCTYPE a SYSTEM '\u{FFFE}'><a/>", "<!DOCTYPE a PUBLIC 'x'><a/>", "<!DOCTYPE a PUBLIC 'x''y'><a/>",
        "<!DOCTYPE a PUBLIC 'ü' 'y'><a/>", "<!DOCTYPE a PUBLIC 'x' 'y><a/>", "<!DOCTYPE a\u{D7}><a/>",
        "<!DOCTYPE a-\u{0}><a/>", "<!DOCTYPE aSYSTEM 'x'><a/>", "<!DOCTYPE a public 'x' 'y'><a/>",
    ])
    func `Declarations at another place are errors`(_ text: String) {
        #expect(reason(text) != nil)
    }

    @Test func `The depth is limited, and no value of the limit lets the stack overflow`() {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        var limits = XMLLimits()
        #expect(reason(nested(256)) == nil)
        #expect(reason(nested(257)) == .tooDeep(limit: 256))
        limits.maximumDepth = .max
        #expect(limits.maximumDepth == 512)
        #expect(reason(nested(512), limits) == nil)
        #expect(reason(nested(100_000), limits) == .tooDeep(limit: 512))
    }

    @Test func `Sizes and numbers are limited`() {
        var limits = XMLLimits()
        limits.maximumSize = 10
        #expect(reason("<a>12345</a>", limits) == .tooLarge(limit: 10))
        limits = XMLLimits()
        limits.maximumNodeCount = 5
        #expect(reason("<a b='1'><c/><c/><c/></a>", limits) == nil)
        #expect(reason("<a b='1'><c/><c/><c/><c/></a>", limits) == .tooManyNodes(limit: 5))
        #expect(reason("<a b='1'><c/><c/><c/>1</a>", limits) == .tooManyNodes(limit: 5))
        limits = XMLLimits()
        limits.maximumAttributeCount = 2
        #expect(reason("<a b='=' c='='/>", limits) == nil)
        #expect(reason("<a b='1' c='2' d='3'/>", limits) == .tooManyAttributes(limit: 2))
    }

    @Test(arguments: [
        "<a>", "<a b='", "<!--",
    ])
    func `A token of many megabytes is refused at once`(_ start: String) {
        #expect(reason(start + String(repeating: "x", count: (8 << 20) + 1)) == .tokenTooLong(limit: 8 << 20))
    }

    /// Foundation's parser compares each attribute with all others, and each prefix with all declarations in scope.
    @Test func `Many attributes and many declarations of namespaces take no quadratic time`() {
        let attributes = (0..<TestLevel.count(40_000, nightly: 200_000)).map { " a\($0)='1'" }.joined()
        #expect(reason("<a\(attributes)/>") == .tooManyAttributes(limit: 256))
        #expect(reason("<a b><c\(attributes)/></a>") == .tooManyAttributes(limit: 256))
        let declarations = (0..<200).map { level in
            "<a" + (0..<200).map { " xmlns:p\(level)x\($0)='u'" }.joined() + ">"
        }
        #expect(reason(declarations.joined()) == .tooManyNamespaces(limit: 512))
    }

    @Test func `The time grows with the size, not with its square`() throws {
        let shapes: [(Int) -> String] = [
            { "<a>" + String(repeating: "<b c='1'>x</b>", count: $0) + "</a>" },
            { "<a>" + String(repeating: "&amp;", count: $0) + "</a>" },
            { "<a>" + String(repeating: "<![CDATA[x]]>", count: $0) + "</a>" },
            { "<a>" + String(repeating: "<!-- - -->", count: $0) + "</a>" },
            { "<a b='" + String(repeating: "&lt;", count: $0) + "'/>" },
            { String(repeating: " ", count: $0) + "<a/>" },
        ]
        for shape in shapes {
            let growth = Growth(of: TestLevel.count(1_250, nightly: 5_000)) {
                Data(shape($0).utf8)
            } _: {
                _ = try? XMLTree($0)
            }
            #expect(growth.isBounded, "\(growth)")
        }
    }

    @Test(arguments: [
        "<?xml version='1.0'?><!DOCTYPE a SYSTEM 'x'><a b='&lt;' xmlns:p='u'><?x?><p:c><![CDATA[<]]>ü</p:c><!-- --></a>"
    ])
    func `A document that ends at any byte is an error`(_ text: String) {
        let bytes = Data(text.utf8)
        #expect(reason(text) == nil)
        for count in bytes.indices {
            #expect(throws: RequestError.Cause.InvalidXML.self) { try XMLTree(bytes.prefix(count)) }
        }
    }

    @Test func `Many documents are parsed at the same time`() async {
        let valid = "<a b='1'>" + String(repeating: "<c>x<?y?></c>", count: 200) + "</a>"
        let texts = [valid, "<a>" + valid + "&b;</a>", "<!DOCTYPE a []>" + valid, "<a><p:b/></a>"]
        let reasons = await withTaskGroup { group in
            for index in 0..<256 { group.addTask { (index % 4, reason(texts[index % 4])) } }
            return await group.reduce(into: [[RequestError.Cause.InvalidXML.Reason?]](repeating: [], count: 4)) {
                $0[$1.0].append($1.1)
            }
        }
        #expect(reasons[0].allSatisfy { $0 == nil })
        #expect(reasons[1].allSatisfy { $0 == .undeclaredEntity })
        #expect(reasons[2].allSatisfy { $0 == .documentTypeDeclaration })
        #expect(reasons[3].allSatisfy { $0 == .invalidNamespace(prefix: "p") })
    }

    @Test func `A document of many siblings is parsed and decoded`() throws {
        let count = TestLevel.count(2_500, nightly: 100_000)
        let data = Data(("<a>" + String(repeating: "<b>1</b>", count: count) + "</a>").utf8)
        #expect(try XMLTree(data).root.children.count == count)
        #expect(try XMLTreeDecoder().decode([Int].self, from: data) == [Int](repeating: 1, count: count))
        var limits = XMLLimits()
        limits.maximumNodeCount = count
        #expect(throws: RequestError.Cause.InvalidXML.self) { try XMLTree(data, limits: limits) }
    }

    @Test func `After an error nothing counts`() {
        #expect(reason("<a><b></a>" + String(repeating: "<c>", count: 100_000)) == .mismatchedTag)
    }

    @Test(arguments: ["\u{301}\u{323}", "\u{F72}\u{F71}"])
    func `Names and namespaces with many combining marks in a row are refused in linear time`(_ pair: String) {
        let growth = Growth(of: 1_000) { count in
            let name = "a" + String(repeating: pair, count: count)
            return [
                "<\(name)/>", "<a \(name)='1'/>", "<a><\(name) >x</\(name)></a>", "<a xmlns:\(name)='u'/>",
                "<a xmlns='\(name)'/>", "<a b='\"' \(name)='<'/>",
                "<a xmlns:p='\(name)' xmlns:q='u' p:c='1' q:c='2'/>",
                "<a xmlns='\(name.unicodeScalars.map { "&#\($0.value);" }.joined())'/>",
            ]
        } _: { texts in
            for text in texts { #expect(reason(text) != nil) }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Texts and values may contain any marks, and names a few`() throws {
        let marks = "a" + String(repeating: "\u{301}\u{323}", count: 100)
        let tree = try XMLTree(Data("<e\u{301} a='\(marks)'>\(marks)</e\u{301}>".utf8))
        #expect(tree.root.text.utf8.elementsEqual(marks.utf8))
        #expect(tree.root.attributes.first?.value.utf8.elementsEqual(marks.utf8) == true)
    }

    @Test func `Values with many combining marks are refused in linear time`() {
        let growth = Growth(of: 1_000) { count in
            let text = "a" + String(repeating: "\u{301}\u{323}", count: count)
            let instance = "http://www.w3.org/2001/XMLSchema-instance"
            return Data("<l xmlns:i='\(instance)'><v i:nil='\(text)'>\(text)</v></l>".utf8)
        } _: { data in
            #expect(throws: (any Error).self) { try XMLTreeDecoder().decode([Bool].self, from: data) }
            #expect(throws: (any Error).self) { try XMLTreeDecoder().decode([Double].self, from: data) }
            #expect(throws: (any Error).self) { try XMLTreeDecoder().decode([Decimal].self, from: data) }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Texts and values with many combining marks are compared by their bytes, in linear time`() throws {
        let growth = try Growth(of: 1_000) { count -> [XMLTree] in
            let texts = ["\u{301}\u{323}", "\u{323}\u{301}"].map { "a" + String(repeating: $0, count: count) }
            let documents = texts.map { "<e>\($0)</e>" } + texts.map { "<e a='\($0)'/>" }
            return try documents.map { try XMLTree(Data($0.utf8)) }
        } _: { trees in
            #expect(trees[0] != trees[1])
            #expect(trees[2] != trees[3])
            #expect(trees[0] == trees[0])
        }
        #expect(growth.isBounded, "\(growth)")
    }

    #if canImport(FoundationXML)
    @Test func `Foundation for Linux leaks memory for each warning, so that their number is limited`() {
        func text(_ count: Int) -> String { "<a>" + String(repeating: "<b xml:space='x'/>", count: count) + "</a>" }
        #expect(reason(text(10_000)) == nil)
        #expect(reason(text(10_001)) == .syntax(code: 102))
    }
    #endif
}
