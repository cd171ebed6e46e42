import Foundation
import LoopbackServer
import SiestaActivity
import SiestaCaches
import SiestaCore
import SiestaSessions
import SiestaTesting
import TestDoubles
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A whole session with marked secrets, and the search for them in everything that it leaves behind.
extension SiestaLogTests {
    @Test func `A session leaves no secret in any text, snapshot or file of a cache`() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer { exchange in
            let target = exchange.request.target
            let token = exchange.request.header("Authorization")
            switch target {
            case "/token":
                try exchange.respond(
                    headers: ["Content-Type: application/json", "Set-Cookie: c=m4rk"],
                    text: #"{"access_token":"m4rk-2","refresh_token":"m4rk-3","token_type":"bearer"}"#)
            case _ where target.contains("refused"): try exchange.respond(401, text: #"{"message":"no"}"#)
            case _ where target.contains("missing"): try exchange.respond(404, headers: ["Set-Cookie: c=m4rk"])
            case _ where target.contains("away"): try exchange.respond(302, headers: ["Location: /?token=m4rk"])
            default:
                try exchange.respond(token == "Bearer m4rk-2" ? 200 : 401, headers: ["ETag: \"1\""], text: "content")
            }
        }
        let oauth = OAuth2(
            tokenURL: server.url("/token"), clientID: "app", clientSecret: "m4rk", sendsSecretInBody: true)
        let base = try #require(URL(string: "http://m4rk:m4rk@127.0.0.1:\(server.port)/v1"))
        let service = Service(baseURL: base)
        service.configure { $0.pipeline[.rawData].cacheUsing(PersistentCache.file(at: folder.url)) }
        service.authenticate(with: oauth, alsoAt: [server.url("/")])
        var values: [Any] = []
        let messages = try await messages(.all, with: "") {
            try await service.signIn("ada", with: Credential("m4rk-1", refreshToken: "m4rk-r"))
            for path in ["/ok", "/refused", "/missing", "/away"] {
                let resource = service.resource(absoluteURL: server.url("/v1" + path))
                let info = await resource.load().completion()
                values += [info, info.failure as Any, resource, resource.snapshot, "\(resource.load())"]
                values += [resource.latestError as Any, resource.latestData?.headers as Any, resource.retry as Any]
            }
            values += [service, service.session?.state as Any, service.principal as Any, await service.cookies]
            for storage in service.context.storages.compactMap(\.storage) { try await storage.flush() }
        }
        values += messages.map { $0.text }
        #expect(service.session?.state == .signedIn("ada") || service.session?.state == .refreshing)
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            var texts = ["\(value)", String(reflecting: value), dumped]
            if let error = value as? any Error { texts += [error.localizedDescription, PreparedText.error(error)] }
            for text in texts { #expect(!text.contains("m4rk"), "\(text)") }
        }
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        #expect(!files.isEmpty)
        #expect(!messages.isEmpty)
        for file in files {
            let data = FileManager.default.contents(atPath: folder.url.appendingPathComponent(file).path) ?? Data()
            #expect(data.range(of: Data("m4rk".utf8)) == nil, "\(file)")
        }
        await service.signOut()
    }
}
