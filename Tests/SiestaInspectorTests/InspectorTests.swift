import Foundation
import SiestaCore
import SiestaInspector
import SiestaJSON
import SiestaTesting
import TestKit
import Testing
import Waiting

extension OneByOne {
    @MainActor @Suite(.timeLimit(.test))
    struct InspectorTests {
        private let stub = StubNetwork()
        private let service: Service

        init() {
            service = Service(baseURL: "https://api.test", networking: InspectorNetwork(around: stub))
            service.configure { $0.expirationTime = 1000 }
        }

        private func started(_ permissions: Inspector.Permissions = .readOnly) async throws -> (Inspector, PageClient) {
            let inspector = Inspector(service, permissions: permissions)
            return (inspector, PageClient(try await inspector.start(evenInRelease: true)))
        }

        /// Waits until the inspector has handled all events.
        private func state(_ page: PageClient, until isMet: (JSONValue) -> Bool) async throws -> JSONValue {
            while true {
                let state = try await page.json("state")
                if isMet(state) { return state }
            }
        }

        @Test func `the page has a policy, and contains neither the token nor another address`() async throws {
            let (inspector, page) = try await started()
            let response = try await page.response("")
            #expect(response.hasPrefix("HTTP/1.1 200 "))
            #expect(response.contains("\r\nContent-Security-Policy: default-src 'none'; script-src 'nonce-"))
            #expect(response.contains("<script nonce=\""))
            #expect(!response.contains(page.token))
            #expect(!response.contains("https://"))
            #expect(!response.contains("innerHTML"))
            #expect(!response.contains("NONCE"))
            inspector.stop()
        }

        @Test func `a request that ended while the inspector was stopped does not run afterwards`() async throws {
            let (inspector, page) = try await started()
            let gate = StubGate()
            stub.answer(.get, "/a", with: .json("{}").after(gate))
            stub.answer(.get, "/b", with: .json("{}"))
            let load = service.resource("/a").load()
            _ = try await state(page) { !$0.rows("requests").isEmpty }
            inspector.stop()
            gate.open()
            await load.completion()
            let again = PageClient(try await inspector.start(evenInRelease: true))
            defer { inspector.stop() }
            await service.resource("/b").load().completion()
            let state = try await state(again) {
                $0.rows("requests").contains { $0["url"]?.text == "https://api.test/b" && $0["outcome"] != nil }
            }
            #expect(state.rows("requests").allSatisfy { $0["outcome"] != nil })
            #expect(state.rows("origins").first?["running"]?.number?.int64 == 0)
        }

        @Test func `a load appears in the state, with its request and its cause`() async throws {
            let (inspector, page) = try await started()
            stub.answer(.get, "/a", with: .json(#"{"x": 1}"#))
            await service.resource("/a").loadIfNeeded()?.completion()
            let state = try await state(page) { $0.rows("requests").first?["outcome"] != nil }
            let row = try #require(state.rows("resources").first)
            #expect(row["url"]?.text == "https://api.test/a")
            #expect(row["state"]?.text == "fresh")
            let request = try #require(state.rows("requests").first)
            #expect(request["method"]?.text == "GET")
            #expect(request["status"]?.number?.int64 == 200)
            #expect(request["outcome"]?.text == "success")
            #expect(request["reason"]?.text == "loadIfNeeded")
            #expect(state.rows("origins").first?["id"]?.text == "https://api.test:443")
            inspector.stop()
        }

        @Test func `changes reach an open page as events`() async throws {
            let (inspector, page) = try await started()
            let last = try await page.json("state")["lastEvent"]?.number?.int64 ?? -1
            let stream = try await page.events(after: Int(last))
            stub.answer(.get, "/a", with: .json(#"{"x": 1}"#))
            await service.resource("/a").load().completion()
            #expect(await stream.read(until: #""outcome":"success""#).contains("id: \(last + 1)\n"))
            inspector.stop()
        }

        @Test func `new and dropped resources reach an open page although no event tells it`() async throws {
            let (inspector, page) = try await started()
            let stream = try await page.events(after: 0)
            var kept: Resource? = service.resource("/kept")
            #expect(await stream.read(until: "https://api.test/kept").contains(#""state":"empty""#))
            kept = nil
            service.flushUnusedResources()
            #expect(await stream.read(until: #""removed":["#).contains("removed"))
            extendLifetime(kept)
            inspector.stop()
        }

        @Test func `no secret is in the data of the page`() async throws {
            let (inspector, page) = try await started(.full)
            _ = try await page.act("record", #"{"on": true}"#)
            stub.answer(
                .get, "/a?token=s3cret",
                with: .json(
                    #"{"password": "s3cret", "deep": [{"apiKey": "s3cret"}], "link": "https://u:l1nk@api.test/?t=l1nk"}"#,
                    headers: ["Set-Cookie": "s3cret", "X-Api-Key": "s3cret"]))
            let resource = service.resource(absoluteURL: "https://api.test/a?token=s3cret")
            service.configure { $0.headers["Authorization"] = "s3cret" }
            await resource.load().completion()
            let state = try await state(page) { $0.rows("requests").first?["outcome"] != nil }
            let id = try #require(state.rows("resources").first?["id"]?.number?.int64)
            let (details, har) = (try await page.json("resource?id=\(id)"), try await page.json("har"))
            #expect(details["content"]?["password"]?.text == "<redacted>")
            #expect(har["log"]?["entries"]?.elements?.count == 1)
            for json in [state, details, har] { #expect(!json.description.contains("s3cret")) }
            // A recording keeps the links in bodies, because an app follows them in a replay, too.
            for json in [state, details] { #expect(!json.description.contains("l1nk")) }
            #expect(!service.inspectorText.contains("s3cret"))
            inspector.stop()
        }

        @Test func `a page that only shows neither acts nor sees contents`() async throws {
            let (inspector, page) = try await started()
            stub.answer(.get, "/a", with: .json(#"{"x": 1}"#))
            await service.resource("/a").load().completion()
            let state = try await page.json("state")
            let id = try #require(state.rows("resources").first?["id"]?.number?.int64)
            #expect(state["full"] == nil)
            for action in ["load", "invalidate", "wipe", "override", "switches", "record", "wipeAll"] {
                #expect(try await page.act(action, "{\"id\": \(id)}")["error"]?.text?.contains(".full") == true)
            }
            #expect(service.resource("/a").latestData != nil)
            #expect(try await page.json("resource?id=\(id)")["content"] == nil)
            #expect(try await page.json("resource?id=\(id)")["explanation"]?.text?.contains("loadIfNeeded()") == true)
            #expect(try await page.json("har")["error"] != nil)
            inspector.stop()
        }

        @Test func `actions change a resource`() async throws {
            let (inspector, page) = try await started(.full)
            let resource = service.resource("/a")
            let id = try #require(try await page.json("state").rows("resources").first?["id"]?.number?.int64)
            stub.answer(.get, "/a", with: .json(#"{"x": 1}"#))
            _ = try await page.act("load", "{\"id\": \(id)}")
            try await Poll.until { resource.latestData != nil }
            _ = try await page.act("override", "{\"id\": \(id), \"json\": {\"x\": 2}}")
            #expect(resource.jsonDict["x"] as? Int == 2)
            _ = try await page.act("invalidate", "{\"id\": \(id)}")
            #expect(!resource.isUpToDate)
            _ = try await page.act("wipe", "{\"id\": \(id), \"caches\": true}")
            #expect(resource.latestData == nil)
            #expect(try await page.act("load", "{\"id\": 99}")["error"] != nil)
            #expect(try await page.act("load", "no JSON")["error"] != nil)
            inspector.stop()
        }

        @Test func `an override keeps the type of an array`() async throws {
            let (inspector, page) = try await started(.full)
            let resource = service.resource("/a")
            resource.overrideLocalContent(with: ["Ada"])
            let id = try #require(try await page.json("state").rows("resources").first?["id"]?.number?.int64)
            #expect(try await page.act("override", "{\"id\": \(id), \"json\": [1]}")["error"] != nil)
            #expect(resource.typedContent(ifNone: [String]()) == ["Ada"])
            #expect(try await page.act("override", "{\"id\": \(id), \"json\": [\"Grace\"]}")["error"] == nil)
            #expect(resource.typedContent(ifNone: [String]()) == ["Grace"])
            inspector.stop()
        }

        @Test func `an override keeps the type of the content`() async throws {
            struct User: Codable { let name: String }
            let (inspector, page) = try await started(.full)
            let resource = service.resource("/a")
            resource.overrideLocalContent(with: User(name: "Ada"))
            let id = try #require(try await page.json("state").rows("resources").first?["id"]?.number?.int64)
            #expect(try await page.json("resource?id=\(id)")["content"]?["name"]?.text == "Ada")
            _ = try await page.act("override", "{\"id\": \(id), \"json\": {\"name\": \"Grace\"}}")
            #expect(resource.typedContent(ifNone: User(name: "")).name == "Grace")
            #expect(try await page.act("override", "{\"id\": \(id), \"json\": {}}")["error"] != nil)
            #expect(resource.typedContent(ifNone: User(name: "")).name == "Grace")
            inspector.stop()
        }

        @Test func `switches take the network offline, fail an origin, and record what happens`() async throws {
            let (inspector, page) = try await started(.full)
            _ = try await page.act("record", #"{"on": true}"#)
            _ = try await page.act("switches", #"{"offline": true}"#)
            await service.resource("/a").load().completion()
            #expect((service.resource("/a").latestError?.cause as? URLError)?.code == .notConnectedToInternet)
            _ = try await page.act("switches", #"{"origins": ["https://api.test:443"], "status": 503}"#)
            await service.resource("/a").load().completion()
            #expect(service.resource("/a").latestError?.httpStatusCode == 503)
            _ = try await page.act("switches", "{}")
            stub.answer(.get, "/a", with: .json(#"{"x": 1}"#))
            await service.resource("/a").load().completion()
            #expect(service.resource("/a").latestError == nil)
            _ = try await page.act("record", #"{"on": false}"#)
            let entries = try await page.json("har")["log"]?["entries"]?.elements ?? []
            #expect(entries.map { $0["response"]?["status"]?.number?.int64 } == [0, 503, 200])
            #expect(entries.last?["response"]?["content"]?["text"]?.text == #"{"x": 1}"#)
            inspector.stop()
        }

        @Test func `a recording of the page is replayed in a test`() async throws {
            let (inspector, page) = try await started(.full)
            stub.answer(.get, "/users/1?page=2&token=s3cret", with: .json(#"{"name": "Ada"}"#))
            stub.answer(.post, "/users", with: .json(#"{"id": 2}"#, status: 201))
            stub.answer(.get, "/missing", with: .json("{}", status: 404))
            #expect(try await page.json("har")["error"]?.text == "Nothing was recorded.")
            _ = try await page.act("record", #"{"on": true}"#)
            func exchanges(of service: Service) async -> [String] {
                let user = service.resource("/users/1").withParam("token", "s3cret").withParam("page", "2")
                await user.load().completion()
                await service.resource("/missing").load().completion()
                let created = await service.resource("/users").request(.post, json: ["name": "Grace"]).completion()
                let status = service.resource("/missing").latestError?.httpStatusCode
                guard case .success(let entity) = created.response else { return [] }
                return [user.jsonDict["name"] as? String ?? "", "\(status ?? 0)", "\(entity.content)"]
            }
            let live = await exchanges(of: service)
            #expect(live.count == 3)
            #expect(live.prefix(2) == ["Ada", "404"])
            let response = try await page.response("har")
            let file = response.components(separatedBy: "\r\n\r\n").last ?? ""
            inspector.stop()

            let archive = try HARArchive(data: Data(file.utf8))
            #expect(archive.entries.count == 3)
            #expect(!file.contains("s3cret"))
            for matching in [HARReplay.Matching.strict, .byMethodAndURL] {
                let replay = HARReplay(archive, matching: matching)
                #expect(await exchanges(of: Service(baseURL: "https://api.test", networking: replay)) == live)
            }
        }

        @Test func `a service without the network of the inspector offers no switches`() async throws {
            let service = Service(baseURL: "https://api.test", networking: stub)
            let inspector = Inspector(service, permissions: .full)
            let page = PageClient(try await inspector.start(evenInRelease: true))
            #expect(try await page.json("state")["network"] == nil)
            #expect(try await page.act("switches", "{}")["error"]?.text?.contains("InspectorNetwork()") == true)
            inspector.stop()
        }

        @Test func `in a build for release, an inspector starts only if the app says so`() async throws {
            let inspector = Inspector(service)
            #if DEBUG
            try await inspector.start()
            #else
            await #expect(throws: InspectorError.releaseBuild) { try await inspector.start() }
            #endif
            inspector.stop()
        }

        @Test func `a second start returns the same address, and a stop closes it`() async throws {
            let inspector = Inspector(service)
            let url = try await inspector.start(evenInRelease: true)
            #expect(try await inspector.start(evenInRelease: true) == url)
            let page = PageClient(url)
            inspector.stop()
            #expect(inspector.url == nil)
            await #expect(throws: (any Error).self) { try await page.json("state") }
            #expect(try await inspector.start(evenInRelease: true) != url)
            inspector.stop()
        }

        @Test func `a port in use is reported`() async throws {
            let (inspector, page) = try await started()
            await #expect {
                try await Inspector(service).start(port: page.port, evenInRelease: true)
            } throws: { error in
                (error as? InspectorError)?.errorDescription?.contains("port \(page.port)") == true
            }
            inspector.stop()
        }

        @Test func `an inspector ends with its release, and does not keep its service`() async throws {
            var inspector: Inspector? = Inspector(service)
            let page = PageClient(try #require(try await inspector?.start(evenInRelease: true)))
            inspector = nil
            try await Poll.until { (try? RawClient(port: page.port)) == nil }
            var service: Service? = Service(baseURL: "https://api.test", networking: stub)
            weak let weakService = service
            let other = Inspector(try #require(service))
            let otherPage = PageClient(try await other.start(evenInRelease: true))
            service = nil
            try await Poll.until { weakService == nil }
            #expect(try await otherPage.json("state")["service"]?.text == "The service was released.")
            other.stop()
        }

        @Test func `a dump has one line for each resource`() async throws {
            stub.answer(.get, "/a", with: .json(#"{"x": 1}"#, headers: ["Content-Length": "8"]))
            stub.answer(.get, "/b", with: .response(404))
            await service.resource("/a").load().completion()
            await service.resource("/b").load().completion()
            let lines = service.inspectorText.split(separator: "\n")
            #expect(lines.first == "Service https://api.test/: 2 resources, 0 loading, 1 with an error")
            #expect(lines[1].hasPrefix("error  "))
            #expect(lines[1].hasSuffix("https://api.test/b"))
            #expect(lines.last?.hasPrefix("fresh  ") == true)
            #expect(lines.last?.contains("8 B") == true)
        }
    }
}
