import Foundation
import SiestaXML
import TestKit
import Testing

/// The containers that types read, and types that no table lists.
@Suite(.timeLimit(.test))
struct XMLContainerTests {
    private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try XMLTreeDecoder().decode(type, from: Data(text.utf8))
    }

    @Test func `Scalars of other types are decoded`() throws {
        struct Values: Decodable, Equatable {
            var id: UUID
            var short: Float16
            var words: [String]
            var none: [String]
            var choice: Choice

            enum Choice: Decodable, Equatable { case circle(radius: Int), square(side: Int) }
        }
        let id = UUID()
        let text = """
            <v id='\(id)' words='a b'><short> 1.5 </short><choice><square side='2'/></choice></v>
            """
        let expected = Values(id: id, short: 1.5, words: ["a", "b"], none: [], choice: .square(side: 2))
        #expect(try decode(Values.self, text) == expected)
    }

    @Test func `Containers can be nested and read by hand`() throws {
        struct Table: Decodable {
            var keys: Set<String> = []
            var cells: [[Int?]] = []
            var title: String
            var owner: String

            enum CodingKeys: String, CodingKey { case title, row, owner }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                keys = Set(container.allKeys.map(\.stringValue))
                title = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .title).decode(
                    String.self, forKey: .title)
                var rows = try container.nestedUnkeyedContainer(forKey: .row)
                while !rows.isAtEnd {
                    var (row, values) = (try rows.nestedUnkeyedContainer(), [Int?]())
                    while !row.isAtEnd { values.append(try row.decodeNil() ? nil : row.decode(Int.self)) }
                    cells.append(values)
                }
                owner = try String(from: container.superDecoder(forKey: .owner))
                var none = try decoder.unkeyedContainer()
                while !none.isAtEnd { _ = try none.superDecoder() }
                #expect(throws: DecodingError.self) { try none.decode(Int.self) }
            }
        }
        let text = """
            <t owner="me" other="x" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><title><title>T</title></title>
            <row><c>1</c><c i:nil="true"/></row><row/><row><c>2</c></row><more/></t>
            """
        let table = try decode(Table.self, text)
        #expect(table.keys == ["title", "row", "owner"])
        #expect(table.title == "T")
        #expect(table.owner == "me")
        #expect(table.cells == [[1, nil], [], [2]])
    }
}
