import Foundation
import LoopbackServer
import SiestaTesting
import TestDoubles
import Testing

import SiestaActivity
@testable import SiestaCaches
@testable import SiestaCore
@testable import SiestaNetworking
@testable import SiestaTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Secrets and control characters, planted in all possible sources, and the search for them in all texts of the
/// library.
private enum Planted {
    static let secret = "s3cret"
    /// Characters that end a line, begin another, colour it, and change its direction.
    static let control = "\n[Siesta:network] forged\r\u{1B}[31m\u{7}\u{9B}2J\u{202E}\u{2028}\u{7F}"
    static let path = "/walk?token=s3cret&page=2&s3cret#s3cret"
    static let headers = ["X-Access-Token": "s3cret", "AUTHORIZATION": "s3cret", "X-Acme-Session-Id": "s3cret"]

    /// Returns all texts that a program gets of a value without reading one of its properties.
    static func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        var texts = [String(describing: value), String(reflecting: value), "\([value])"]
        // `dump` writes each part on a line. These line ends are not a defect; line ends inside the value are.
        texts += dumped.split(separator: "\n").map(String.init)
        if let error = value as? any Error { texts += [error.localizedDescription, PreparedText.error(error)] }
        if let error = value as? RequestError { texts.append(error.userMessage) }
        return texts
    }

    static func expectNone(in texts: [String], _ location: SourceLocation = #_sourceLocation) {
        #expect(!texts.isEmpty, sourceLocation: location)
        for text in texts {
            #expect(!text.contains(secret), "\(text)", sourceLocation: location)
            let isForged = text.hasPrefix("[Siesta:") || text.unicodeScalars.contains { isControl($0) }
            #expect(!isForged, "\(text.debugDescription)", sourceLocation: location)
        }
    }

    static func expectNone(inTextsOf values: Any..., sourceLocation: SourceLocation = #_sourceLocation) {
        for value in values { expectNone(in: texts(of: value), sourceLocation) }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }
}

extension SiestaLogTests {
    // MARK: Over a network

    /// Loads once, with secrets in all places. Returns all texts of the request, and of the resource afterwards.
    private func walk(
        _ url: URL, networking: any NetworkingProviderConvertible, configure: (Service) -> Void = { _ in }
    ) async -> [String] {
        let service = Service(baseURL: url, networking: networking)
        service.configure(description: "rule \(url) \(Planted.control)") { configuration in
            for (name, value) in Planted.headers { configuration.headers[name] = value }
        }
        configure(service)
        let resource = service.resource(absoluteURL: url)
        let recorder = ObserverRecorder()
        resource.addObserver(recorder)
        let request = resource.load()
        let info = await request.completion()
        let values: [Any?] = [
            resource, request, info, info.response, resource.latestData, resource.latestError,
            resource.latestError?.cause, resource.snapshot, resource.configuration, service,
            resource.typed(as: [String: String].self), resource.typed(as: [String: String].self).snapshot,
        ]
        return values.compactMap { $0 }.flatMap { Planted.texts(of: $0) } + [info.response.description]
    }

    /// Responses of servers, valid and invalid.
    nonisolated static let answers: [String] = [
        answer("200 OK", ["Content-Type: application/json"], #"{"s3cret": "s3cret"}"#),
        answer("400 No", ["Content-Type: application/problem+json", "X-Access-Token: s3cret"], problem),
        answer("404 No", ["Content-Type: text/html\u{1B}[31m", "Location: /a?code=s3cret"], "s3cret"),
        answer("200 OK", ["Content-Type: application/json"], #"{"s3cret": s3cret"#),
        answer("200 OK", ["Content-Type: text/plain; charset=\u{1B}\u{202E}no"], "s3cret"),
        answer("302 Found", ["Location: /walk?token=s3cret#s3cret"], ""),
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nSet-Cookie: s3cret\r\n\r\ns3cret",
        "s3cret\u{1B}[31m\r\n\r\n",
        answer("200 s3cret\u{1B}", ["Content-Encoding: \u{1B}[31m", "Link: </a?cursor=s3cret>"], "s3cret"),
        "",
    ]

    private nonisolated static func answer(_ status: String, _ headers: [String], _ body: String) -> String {
        let fields = headers + ["Content-Length: \(body.utf8.count)", "Connection: close"]
        return "HTTP/1.1 " + status + "\r\n" + fields.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    private nonisolated static var problem: String {
        let details: [String: Any] = ["detail": "At http://s3cret@h/?a=s3cret " + Planted.control]
        let data = try? JSONSerialization.data(withJSONObject: details)
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    @Test(arguments: answers.indices, [true, false])
    func `No text has secrets of a request or a response, or control characters of a server`(
        index: Int, isCurl: Bool
    ) async throws {
        let answer = Self.answers[index]
        let server = try LoopbackServer { exchange in
            try exchange.send(answer)
            exchange.close()
        }
        let url = try #require(URL(string: "http://s3cret:s3cret@127.0.0.1:\(server.port)\(Planted.path)"))
        let networking: any NetworkingProviderConvertible =
            isCurl ? DefaultNetworking() : URLSessionConfiguration.ephemeral
        var texts: [String] = []
        let messages = await messages(.all, with: "") {
            texts = await walk(url, networking: networking)
        }
        Planted.expectNone(in: texts)
        Planted.expectNone(in: messages.map(\.text).filter { $0.contains("walk") || $0.contains("s3cret") })
        Planted.expectNone(in: messages.map(\.text).filter { $0.contains("headers") })
        #expect(Set(messages.map(\.category)).isSuperset(of: [.network, .networkDetails, .stateChanges, .observers]))
        #expect(messages.contains { $0.text.contains("page=2") }, "What is harmless is shown")
    }

    @Test func `No text has secrets of an address that nobody answers at`() async throws {
        let unanswered = try LoopbackServer { _ in }
        unanswered.stop()
        for address in [
            "http://s3cret:s3cret@127.0.0.1:\(unanswered.port)\(Planted.path)",
            "gopher://s3cret:s3cret@h\(Planted.path)",
            "http://s3cret:s3cret@unknown.invalid\(Planted.path)",
        ] {
            let url = try #require(URL(string: address))
            var texts: [String] = []
            let messages = await messages(.all, with: "") { texts = await walk(url, networking: DefaultNetworking()) }
            Planted.expectNone(in: texts + messages.map(\.text).filter { $0.contains("walk") })
        }
    }

    // MARK: Streams and downloads

    @Test func `No text has secrets of a stream or a download`() async throws {
        let server = try LoopbackServer {
            try $0.respond(404, headers: ["Content-Type: text/plain"], text: "s3cret")
        }
        let url = try #require(URL(string: "http://s3cret:s3cret@127.0.0.1:\(server.port)\(Planted.path)"))
        let resource = Service().resource(absoluteURL: url)
        let target = FileManager.default.temporaryDirectory.appending(path: "walk-\(UUID())")
        var errors: [any Error] = []
        let messages = await messages(.all, with: "walk") {
            let info = await resource.download(to: target).completion()
            if case .failure(let error) = info.response { errors.append(error) }
            do {
                for try await _ in resource.lines {}
            } catch {
                errors.append(error)
            }
        }
        #expect(errors.count == 2)
        for error in errors { Planted.expectNone(inTextsOf: error) }
        Planted.expectNone(in: messages.map(\.text))
    }

    // MARK: Mistakes of an app

    @Test func `No text has secrets of a request that cannot be sent`() async throws {
        let service = Service(baseURL: "http://s3cret:s3cret@walk.test/", networking: StubNetwork())
        let resource = service.resource("/walk?token=s3cret")
        var requests: [any Request] = []
        let messages = await messages(.all, with: "walk") {
            requests += [
                resource.request(.post, text: "s3cret 世界", encoding: .ascii),
                resource.request(.post, json: ["s3cret": Double.nan]),
                resource.request(.post, body: .encoded(["s3cret": Double.nan])),
                resource.request(method: Planted.control),
                service.resource(absoluteURL: "http://s3cret:s3/cret@ h/?s3cret" + Planted.control).load(),
                service.resource(absoluteURL: "").load(),
                service.resource(template: "/walk{?token", [:]).load(),
                service.resource(template: "/walk?token=s3cret&{", [:]).load(),
                Service().resource("/walk?token=s3cret").load(),
                resource.load(),
            ]
            for request in requests {
                guard case .failure(let error) = await request.completion().response else {
                    Issue.record("A request that cannot be sent")
                    continue
                }
                Planted.expectNone(inTextsOf: request, error)
            }
            Planted.expectNone(inTextsOf: resource, resource.withParam("token", "s3cret"))
        }
        #expect(!messages.isEmpty)
        Planted.expectNone(in: messages.map(\.text))
    }

    @Test func `The body stays in the cause for programs`() async throws {
        let resource = Service(baseURL: "http://walk.test/", networking: StubNetwork()).resource("/")
        let info = await resource.request(.post, text: "s3cret 世界", encoding: .ascii).completion()
        let error = try #require(throws: RequestError.self) { try info.response.get() }
        #expect((error.cause as? RequestError.Cause.UnencodableText)?.text == "s3cret 世界")
    }

    @Test func `No text has what a network's own error carries`() async throws {
        let url = "http://s3cret:s3cret@walk.test\(Planted.path)"
        let details: [String: Any] = [
            "NSErrorFailingURLStringKey": url, NSLocalizedDescriptionKey: "Not at \(url)" + Planted.control,
            NSUnderlyingErrorKey: URLError(.badURL, userInfo: ["NSErrorFailingURLStringKey": url]),
        ]
        let network = StubNetwork()
        network.answer(
            .get, "/walk", with: .failure(NSError(domain: NSURLErrorDomain, code: -1001, userInfo: details)),
            .failure(URLError(.cancelled, userInfo: details)),
            .failure(NSError(domain: "D" + Planted.control, code: 1, userInfo: details)))
        let resource = Service(networking: network).resource(absoluteURL: url)
        let messages = await messages(.all, with: "walk") {
            for _ in 0..<3 {
                guard case .failure(let error) = await resource.load().completion().response else { continue }
                Planted.expectNone(inTextsOf: error, error as Any)
            }
        }
        #expect(messages.count > 3)
        Planted.expectNone(in: messages.map(\.text))
    }

    // MARK: Values

    @Test func `No value of the library shows secrets`() throws {
        let url = try #require(URL(string: "http://s3cret:s3cret@h\(Planted.path)"))
        let text = "s3cret" + Planted.control
        let causes: [any Error] = [
            RequestError.Cause.InvalidURL(urlSource: url), RequestError.Cause.InvalidURL(urlSource: "?" + text),
            RequestError.Cause.InvalidURL(urlSource: nil),
            RequestError.Cause.UnencodableText(encoding: .ascii, text: text),
            RequestError.Cause.NotURLEncodable(offendingString: text),
            RequestError.Cause.RequestCancelled(
                networkError: URLError(.badURL, userInfo: ["NSErrorFailingURLKey": url])),
            RequestError.Cause.InvalidTextEncoding(encodingName: Planted.control),
            RequestError.Failure(
                .unreadableBody, reason: Planted.control, file: URL(fileURLWithPath: "/a" + Planted.control),
                name: Planted.control, underlyingError: CocoaError(.fileNoSuchFile, userInfo: ["NSURL": url])),
            RequestError.Failure.invalidHeader(Planted.control),
            FileSystemError("open", "/a" + Planted.control, code: ENOENT),
        ]
        for cause in causes {
            Planted.expectNone(inTextsOf: cause)
            let content = Entity<Any>(content: text, contentType: "text/html" + Planted.control, headers: ["a": text])
            var error = RequestError(userMessage: "Failed", cause: cause, entity: content)
            error.setRequest(url, method: "GET" + Planted.control)
            Planted.expectNone(inTextsOf: error, Response.failure(error), ResponseInfo(response: .failure(error)))
        }
        let part = MultipartForm.Part(name: "n", content: .data(Data(text.utf8)), headers: ["a": text])
        var form = MultipartForm()
        form.append(part)
        let stored = CacheRecord(
            principal: text, address: url.absoluteString, coding: "c", timestamp: 0, headers: ["a": text],
            content: Data(text.utf8))
        let key = CacheKey(
            principal: text, address: url.absoluteString, coding: .data, requestHeaders: ["a": text])
        Planted.expectNone(inTextsOf: part, form, stored, key, try URITemplate("/a?b=s3cret{?c}"))
        Planted.expectNone(inTextsOf: Entity(content: text, contentType: "a/b", headers: ["set-cookie": text]))
        #expect(
            Entity<Any>(content: text, contentType: "a/b").description == "Entity<Any>: String (a/b)")
    }

    // MARK: The log

    @Test func `A message is one line, its URLs are prepared, and it has an end`() async {
        let url = URL(string: "http://s3cret@walk-line/?t=s3cret") as Any
        let messages = await messages([.cache], with: "walk-line") {
            SiestaLog.log(.cache, ["walk-line" + Planted.control, url, "at http://s3cret@h/?t=s3cret"])
            SiestaLog.log(.cache, ["walk-line", String(repeating: "x", count: 1_000_000)])
        }
        #expect(messages.count == 2)
        Planted.expectNone(in: messages.map(\.text))
        #expect(messages[0].text.hasSuffix("http://walk-line/?t=… at http://h/?t=…"))
        #expect(messages[1].text.unicodeScalars.count <= 8000)
        #expect(messages[1].text.hasSuffix(" more)"))
    }

    @Test func `An observer is logged by its type, and not by what it holds`() async {
        struct Observer: ResourceObserver {
            let password = "s3cret"
            func resourceChanged(_ resource: Resource, event: ResourceEvent) {}
        }
        let resource = Service(baseURL: "http://walk.test", networking: StubNetwork()).resource("/walk-observer")
        let messages = await messages([.observers], with: "walk-observer") {
            resource.addObserver(Observer(), owner: resource)
        }
        #expect(messages.contains { $0.text.hasSuffix("is observed by Observer") })
    }

    @Test func `The case of a name that is declared secret or harmless does not matter`() async {
        let (secret, shown) = (SiestaLog.redactedHeaders, SiestaLog.shownQueryItems)
        defer { (SiestaLog.redactedHeaders, SiestaLog.shownQueryItems) = (secret, shown) }
        SiestaLog.redactedHeaders.insert("X-Acme-PIN")
        SiestaLog.shownQueryItems.insert("Colour")
        #expect(SiestaLog.redactedHeaders.contains("x-acme-pin"))
        #expect("\(LoggedHeaders(["x-ACME-Pin": "s3cret", "A": "b"]))" == "A: b, x-ACME-Pin: <redacted>")
        #expect(PreparedText.url("/a?COLOUR=red&shade=dark") == "/a?COLOUR=red&shade=…")
    }

    @Test func `Values of headers that are URLs are prepared, and others have an end`() {
        let headers: [AnyHashable: Any] = [
            "Location": "/a?s3cret", "Link": "</a?cursor=s3cret>", "Refresh": "0; url=http://s3cret@h/#s3cret",
            "X-Long": String(repeating: "x", count: 1000), "X-Con\ntrol": "a\u{1B}b",
        ]
        let text = "\(LoggedHeaders(headers))"
        Planted.expectNone(in: [text])
        #expect(text.utf8.count < 700)
        #expect(text.contains("Location: /a?…"))
    }
}
