import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaXML
import Testing

extension Samples {
    /// The article "Formats", the doc comments of its types, and the page of SiestaJSON.
    @MainActor
    struct Formats {
        let server = stage.newServer()
        let service = Service(baseURL: "https://api.example.com")

        private func answer(_ request: String, _ type: String, _ text: String) {
            server.answer(request, .script { try $0.respond(headers: ["Content-Type: \(type)"], text: text) })
        }

        @Test func `A feed is decoded`() async throws {
            answer(
                "GET /feed", "application/atom+xml",
                """
                <feed>
                  <title>News</title>
                  <entry id="1"><title>One</title></entry>
                  <entry id="2"><title>Two</title><updated>2026-11-26T08:30:00Z</updated></entry>
                </feed>
                """)
            struct Feed: Decodable {
                var title: String
                var entry: [Entry]
            }

            struct Entry: Decodable {
                var id: Int
                var title: String
                var updated: Date?
            }

            service.decodeXML("/feed", as: Feed.self)
            let feed = try await service.resource("/feed", as: Feed.self).get()
            #expect(feed.title == "News")
            #expect(feed.entry.map(\.id) == [1, 2])
            #expect(feed.entry.map(\.updated) == [nil, Date(timeIntervalSince1970: 1_795_681_800)])
        }

        @Test func `Keys select namespaces`() async throws {
            answer(
                "GET /item", "application/rss+xml",
                """
                <item xmlns:d="http://purl.org/dc/elements/1.1/"><d:creator>Ada</d:creator>
                <pubDate>Thu, 01 Jan 1970 00:00:00 GMT</pubDate></item>
                """)
            struct Item: Decodable {
                var creator: String
                var pubDate: Date

                enum CodingKeys: String, CodingKey {
                    case creator = "dc:creator"
                    case pubDate
                }
            }

            var decoder = XMLTreeDecoder()
            decoder.namespaces["dc"] = "http://purl.org/dc/elements/1.1/"
            decoder.dateDecodingStrategy = .internetMessage
            service.decodeXML("/item", as: Item.self, decoder: decoder)
            let item = try await service.resource("/item", as: Item.self).get()
            #expect(item.creator == "Ada")
            #expect(item.pubDate == Date(timeIntervalSince1970: 0))
        }

        @Test func `A document becomes a tree`() async throws {
            answer("GET /page", "text/xml", "<page><p>a <b>b</b></p><p/><p>c</p></page>")
            let service = Service(baseURL: "https://api.example.com", standardTransformers: [.xml, .json, .text])
            let page = service.resource("/page")
            _ = try await page.load().value
            for paragraph in page.xml?.root.elements("p") ?? [] {
                print(paragraph.stringValue)
            }
            #expect(stage.printed == ["a b", "", "c"])
        }

        @Test func `Bytes are parsed and decoded without a service`() throws {
            nonisolated struct Feed: Decodable { var item: [String] }
            let data = Data("<feed><item>1</item><item>2</item></feed>".utf8)
            let tree = try XMLTree(data)
            for item in tree.root.elements("item") { print(item.text) }
            #expect(stage.printed == ["1", "2"])
            let feed = try XMLTreeDecoder().decode(Feed.self, from: data)
            #expect(feed.item == ["1", "2"])
        }

        @Test func `A service has the XML transformer`() async throws {
            answer("GET /a", "application/xml", "<a/>")
            let service = Service(
                baseURL: "https://api.example.com", standardTransformers: [.xml, .json, .text, .image])
            _ = try await service.resource("/a").load().value
            #expect(service.resource("/a").xml?.root.name == XMLTree.Name("a"))
        }

        @Test func `Content is computed from a decoded body`() async throws {
            answer("GET /feed", "application/xml", "<feed><items>1</items><items>2</items></feed>")
            nonisolated struct Feed: Decodable { var items: [Int] }
            service.decodeXML("/feed", as: Feed.self) { $0.content.items }
            let items = try await service.resource("/feed", as: [Int].self).get()
            #expect(items == [1, 2])
        }

        @Test func `A JSON value is changed`() throws {
            let data = Data(#"{"title": "Emma", "pages": 474}"#.utf8)
            var book = try JSONValue(parsing: data)
            book["pages"] = 475
            print(book["title"]?.text ?? "untitled", book["pages"]?.number?.int64 ?? 0)  // Emma 475
            let changed = book.data
            #expect(stage.printed == ["Emma 475"])
            #expect(String(decoding: changed, as: UTF8.self) == #"{"pages":475,"title":"Emma"}"#)
        }

        @Test func `Lines of JSON are decoded`() async throws {
            answer("GET /events", "application/x-ndjson", "{\"name\": \"a\"}\n{\"name\": \"b\"}\n")
            nonisolated struct Event: Decodable, Sendable {
                var name: String
            }

            for try await event in service.resource("/events").jsonValues(as: Event.self) {
                print(event.name)
            }
            let resource = service.resource("/events")
            for try await event in resource.jsonValues(as: Event.self) { print(event.name) }
            #expect(stage.printed == ["a", "b", "a", "b"])
        }

        @Test func `Parts are read`() async throws {
            answer("GET /batch", "multipart/mixed; boundary=b", "--b\r\nContent-Type: a/b\r\n\r\nxyz\r\n--b--")
            for try await part in service.resource("/batch").parts {
                print(part.contentType, part.body.count)
            }
            let resource = service.resource("/batch")
            for try await part in resource.parts { print(part.contentType, part.body.count) }
            #expect(stage.printed == ["a/b 3", "a/b 3"])
        }

        @Test func `Foundation reads the JSON of some resources`() async throws {
            server.answer("GET /legacy/a", .json(#"{"a": 1}"#))
            service.configure("/legacy/**") { $0.usesFoundationJSON = true }
            let resource = service.resource("/legacy/a")
            _ = try await resource.load().value
            #expect(resource.jsonDict["a"] as? Int == 1)
            #expect(resource.configuration.usesFoundationJSON)
        }

        @Test func `Requests say what the pipeline reads`() async throws {
            server.answer("GET /a", .json("{}"))
            service.configure { $0.negotiatesContent = true }
            _ = try await service.resource("/a").load().value
            let accept = server.requests.first?.header("Accept")
            #expect(accept == "application/json, text/*;q=0.5, image/*;q=0.5, */*;q=0.1")
        }
    }
}
