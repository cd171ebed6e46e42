import Foundation
import SiestaXML
import TestKit
import Testing

/// XML as values of `Decodable` types.
@Suite(.timeLimit(.test))
struct XMLTreeDecoderTests {
    private func decode<Value: Decodable>(
        _ type: Value.Type, _ text: String, _ change: (inout XMLTreeDecoder) -> Void = { _ in }
    ) throws -> Value {
        var decoder = XMLTreeDecoder()
        change(&decoder)
        return try decoder.decode(type, from: Data(text.utf8))
    }

    private struct Book: Decodable, Equatable {
        var id: Int
        var title: String
        var authors: [String]
        var price: Price?
        var isNew: Bool?

        struct Price: Decodable, Equatable {
            var currency: String
            var amount: Decimal

            enum CodingKeys: String, CodingKey {
                case currency = "@currency"
                case amount = "#text"
            }
        }

        enum CodingKeys: String, CodingKey {
            case id, title, price
            case authors = "author"
            case isNew = "is-new"
        }
    }

    @Test func `Attributes, elements, arrays, text and optionals are decoded`() throws {
        let text = """
            <book id=" 7 "><title>A &amp; <b>B</b></title><author>x</author><other/><author> y </author>
            <price currency="EUR"> 12.50 </price><is-new>1</is-new></book>
            """
        let price = Book.Price(currency: "EUR", amount: Decimal(string: "12.5") ?? 0)
        #expect(
            try decode(Book.self, text)
                == Book(id: 7, title: "A & B", authors: ["x", " y "], price: price, isNew: true))
        #expect(
            try decode(Book.self, "<book id='8'><title/></book>")
                == Book(id: 8, title: "", authors: [], price: nil, isNew: nil))
        #expect(try decode(Book.self, text) { $0.trimsWhitespace = true }.authors == ["x", "y"])
    }

    @Test func `Lists are decoded inside an element and as the whole value`() throws {
        struct Shelf: Decodable {
            var books: [[String]]
            var ids: Set<Int>
            var rows: [Row]

            struct Row: Decodable, Equatable { var cell: [Int] }
        }
        let text = """
            <shelf ids="1 2  3"><books><t>a</t><t>b</t></books><books/><rows><cell>1</cell><cell>2</cell></rows></shelf>
            """
        let shelf = try decode(Shelf.self, text)
        #expect(shelf.books == [["a", "b"], []])
        #expect(shelf.ids == [1, 2, 3])
        #expect(shelf.rows == [.init(cell: [1, 2])])
        #expect(try decode([String].self, "<list><a>1</a><b>2</b></list>") == ["1", "2"])
        #expect(try decode([String: Int].self, "<m c='3'><a>1</a><b>2</b></m>") == ["a": 1, "b": 2, "c": 3])
        #expect(try decode(Int.self, "<n> -5 </n>") == -5)
    }

    @Test(arguments: [
        ("true", true), ("1", true), (" false\n", false), ("0", false), ("TRUE", nil), ("yes", nil), ("", nil),
    ])
    func `Boolean values have the forms of XML Schema`(_ text: String, _ value: Bool?) {
        #expect((try? decode(Bool.self, "<a>\(text)</a>")) == value)
    }

    @Test(
        arguments: [
            ("1.5e3", 1500), ("INF", .infinity), ("-INF", -.infinity), ("+2", 2), ("infinity", nil), ("0x10", nil),
            ("1,5", nil), ("", nil), ("1 2", nil),
        ] as [(String, Double?)])
    func `Numbers have the forms of XML Schema`(_ text: String, _ value: Double?) {
        #expect((try? decode(Double.self, "<a>\(text)</a>")) == value)
        #expect((try? decode(Float.self, "<a>\(text)</a>")) == value.map { Float($0) })
        #expect((try? decode(Decimal.self, "<a>\(text)</a>")) == value.flatMap { $0.isFinite ? Decimal($0) : nil })
    }

    @Test func `Integers out of range and NaN are recognised`() throws {
        #expect(try decode(Double.self, "<a>NaN</a>").isNaN)
        #expect(try decode(UInt8.self, "<a>255</a>") == 255)
        #expect(try decode(UInt64.self, "<a>18446744073709551615</a>") == .max)
        #expect(try decode(Int128.self, "<a>-18446744073709551616</a>") == -18_446_744_073_709_551_616)
        #expect(try decode(UInt128.self, "<a>1</a>") == 1)
        #expect(throws: DecodingError.self) { try decode(Decimal.self, "<a>1e500</a>") }
        #expect(throws: DecodingError.self) { try decode(UInt8.self, "<a>256</a>") }
        #expect(throws: DecodingError.self) { try decode(Int.self, "<a>1.0</a>") }
    }

    @Test func `Dates, data and URLs have strategies`() throws {
        struct Values: Decodable, Equatable {
            var date: Date
            var data: Data
            var url: URL
            var raw: Kind

            enum Kind: String, Decodable { case big, small }
        }
        func text(_ date: String, _ data: String) -> String {
            "<v date='\(date)' data='\(data)' url=' https://example.com/?a=1 ' raw='small'/>"
        }
        let expected = Values(
            date: Date(timeIntervalSince1970: 1_000_000_000), data: Data([0xCA, 0xFE]),
            url: try #require(URL(string: "https://example.com/?a=1")), raw: .small)
        #expect(try decode(Values.self, text("2001-09-09T01:46:40Z", "yv4=")) == expected)
        #expect(
            try decode(Values.self, text("Sun, 09 Sep 2001 03:46:40 +0200", "CA fe")) {
                $0.dateDecodingStrategy = .internetMessage
                $0.dataDecodingStrategy = .hexadecimal
            } == expected)
        #expect(try decode(Date.self, "<d>1e9</d>") { $0.dateDecodingStrategy = .secondsSince1970 } == expected.date)
        #expect(
            try decode(Date.self, "<d>1000000000000</d>") { $0.dateDecodingStrategy = .millisecondsSince1970 }
                == expected.date)
        #expect(
            try decode(Date.self, "<d>x</d>") {
                $0.dateDecodingStrategy = .custom { $0 == "x" ? expected.date : nil }
            } == expected.date)
        #expect(throws: DecodingError.self) { try decode(Date.self, "<d>yesterday</d>") }
        #expect(throws: DecodingError.self) { try decode(Data.self, "<d>*</d>") }
    }

    private struct Item: Decodable, Equatable {
        var title: String?
        var creator: String?
        var anyTitle: [String]

        enum CodingKeys: String, CodingKey {
            case title = "m:title"
            case creator = "dc:creator"
            case anyTitle = "title"
        }
    }

    @Test func `Escapes in a URL stay as they are if other characters have to be escaped`() throws {
        let url = try decode(URL.self, "<a> /a%2Fb?f[x]=%20 </a>")
        #expect(url.absoluteString == "/a%2Fb?f%5Bx%5D=%20")
    }

    @Test func `Keys with prefixes select namespaces, or prefixes of the document`() throws {
        let text = """
            <i xmlns:media="u:m" xmlns:d="u:dc" d:creator="x"><title>1</title><media:title>2</media:title></i>
            """
        let found = try decode(Item.self, text) { $0.namespaces = ["m": "u:m", "dc": "u:dc"] }
        #expect(found == Item(title: "2", creator: "x", anyTitle: ["1", "2"]))
        #expect(try decode(Item.self, text) == Item(title: nil, creator: nil, anyTitle: ["1", "2"]))
        let same = text.replacing("media:", with: "m:").replacing(":media", with: ":m")
        #expect(try decode(Item.self, same).title == "2")
    }

    @Test func `A key prefers elements to attributes, and attributes without a namespace to others`() throws {
        struct Value: Decodable, Equatable {
            var x: String
            var y: [String]
        }
        let text = "<v xmlns:a='u' xmlns:z='u2' a:x='1' x='2' z:x='3' y='4'><y>5</y></v>"
        #expect(try decode(Value.self, text) == Value(x: "2", y: ["5"]))
        let many = text.replacing("<y>", with: String(repeating: "<other/>", count: 20) + "<y>")
        #expect(try decode(Value.self, many) == Value(x: "2", y: ["5"]))
    }

    @Test(arguments: [
        (XMLKeyDecodingStrategy.convertFromSnakeCase, "last_build_date"),
        (.convertFromKebabCase, "last-build-date"), (.convertFromCapitalized, "LastBuildDate"),
        (.custom { $0 == "x" ? "lastBuildDate" : $0 }, "x"), (.useDefaultKeys, "lastBuildDate"),
    ])
    func `Key strategies convert names of elements and attributes`(
        _ strategy: XMLKeyDecodingStrategy, _ name: String
    ) throws {
        struct Feed: Decodable { var lastBuildDate: Int }
        let texts = ["<f><\(name)>5</\(name)></f>", "<f \(name)='5'/>"]
        for text in texts {
            #expect(try decode(Feed.self, text) { $0.keyDecodingStrategy = strategy }.lastBuildDate == 5)
        }
    }

    @Test func `An element is nil if it says so`() throws {
        struct Value: Decodable, Equatable {
            var a: Int?
            var b: [Int?]
        }
        let text = """
            <v xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><a xsi:nil="true"/><b>1</b><b xsi:nil="1"/></v>
            """
        #expect(try decode(Value.self, text) == Value(a: nil, b: [1, nil]))
        #expect(throws: DecodingError.self) { try decode(Value.self, "<v><a/></v>") }
    }

    @Test func `A superclass decodes the same element`() throws {
        class Base: Decodable { let id: Int }
        final class Derived: Base {
            let name: String
            enum CodingKeys: CodingKey { case name }
            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                name = try container.decode(String.self, forKey: .name)
                try super.init(from: container.superDecoder())
            }
        }
        let value = try decode(Derived.self, "<d id='3'><name>n</name></d>")
        #expect(value.id == 3)
        #expect(value.name == "n")
    }

    private struct Shelf: Decodable {
        var book: [Book]
    }

    @Test(arguments: [
        ("<s><book id='1'><title/></book><book id='x'><title/></book></s>", "book.Index 1.id", "not a valid Int"),
        ("<s><book id='1'/></s>", "book.Index 0", "“title”; declare the property optional"),
        (
            "<s>\n<book id='1'><title/><title/></book></s>", "book.Index 0.title",
            "2 elements at line 2; decode an array"
        ),
        ("<s><book id='1'><title/><price>5</price></book></s>", "book.Index 0.price", "“@currency”"),
        ("<s book='secret'/>", "book.Index 0", "has no elements"),
        (
            "<s><book><id><secret-id>1</secret-id></id></book></s>", "book.Index 0.id",
            "contains the element “secret-id”"
        ),
    ])
    func `Errors have coding paths, and say what to do without the text of the document`(
        _ text: String, _ path: String, _ reason: String
    ) throws {
        let error = try #require(throws: DecodingError.self) { try decode(Shelf.self, text) }
        let context: DecodingError.Context =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            @unknown default: .init(codingPath: [], debugDescription: "")
            }
        #expect(context.codingPath.map(\.stringValue).joined(separator: ".") == path)
        #expect(context.debugDescription.contains(reason), "\(context.debugDescription)")
        #expect(!context.debugDescription.contains("secret") || text.contains("<secret-id>"))
    }

    @Test func `Decoding takes time in proportion to the number of members`() {
        let growth = Growth(of: 2000) { count in
            Data(("<m>" + (0..<count).map { "<k\($0)>1</k\($0)>" }.joined() + "</m>").utf8)
        } _: {
            _ = try? XMLTreeDecoder().decode([String: Int].self, from: $0)
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test(arguments: ["NaN", "INF", "-INF"])
    func `A number that is not finite is no date`(_ text: String) {
        for strategy in [XMLDateDecodingStrategy.secondsSince1970, .millisecondsSince1970] {
            #expect(throws: DecodingError.self) {
                try decode(Date.self, "<d>\(text)</d>") { $0.dateDecodingStrategy = strategy }
            }
        }
    }
}
