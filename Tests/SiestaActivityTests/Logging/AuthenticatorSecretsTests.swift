import Foundation
import Isolation
import LoopbackServer
import SiestaActivity
import SiestaCore
import SiestaTesting
import TestDoubles
import Testing

@testable import SiestaSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Secrets in all places of credentials, clients and responses, and the search for them in all texts.
extension SiestaLogTests {
    /// A word of each secret.
    private static let mark = "m4rk"

    private static func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        var texts = [
            String(describing: value), String(reflecting: value), "\([value])", "\(Optional(value) as Any)", dumped,
        ]
        if let error = value as? any Error { texts += [error.localizedDescription, PreparedText.error(error)] }
        if let error = value as? RequestError {
            texts.append(error.userMessage)
            if let cause = error.cause { texts += Self.texts(of: cause) }
        }
        return texts
    }

    private static func expectNoMark(in values: [Any], _ location: SourceLocation = #_sourceLocation) {
        for text in values.flatMap(texts) {
            #expect(!text.contains(mark), "\(text)", sourceLocation: location)
        }
    }

    private struct Unreachable: Error {
        let url: URL
    }

    private static let credential = Credential(
        "m4rk-access", refreshToken: "m4rk-refresh", expirationDate: Date(), details: ["scope": "m4rk", "m4rk": "m4rk"])

    private func oauth(_ url: URL, _ secret: String? = "m4rk-client") -> OAuth2 {
        OAuth2(
            tokenURL: url, clientID: "m4rk-id", clientSecret: secret, sendsSecretInBody: true, revocationURL: url,
            credentials: .file(at: URL(fileURLWithPath: "/nowhere/session")))
    }

    @Test func `No text of a credential or an authenticator has a secret`() throws {
        var request = URLRequest(url: try #require(URL(string: "https://api.test/?m=1")))
        let url = try #require(URL(string: "https://m4rk:m4rk@auth.test/?k=m4rk"))
        var named = Self.credential
        named.user = "m4rk"
        let oauth = oauth(url)
        let stored = StoredCredential(principal: "ada", credential: named)
        let digest = DigestAuthentication()
        APIKey(.query("m")).apply(Self.credential, to: &request)
        let head = NetworkResponse.Head(status: 200, fields: HeaderFields(["m4rk": "m4rk"]))
        let body = Data("m4rk".utf8)
        let late = URLError(.timedOut, userInfo: [NSURLErrorFailingURLErrorKey: url])
        Self.expectNoMark(in: [
            named, stored, oauth, digest, digest.login(named) as Any, BearerToken(), BasicAuthentication(),
            APIKey(.header("X-Acme-Secret")), APIKey(.query("m")),
            StandardAuthenticator.bearer(), StandardCredentialStore.file(at: URL(fileURLWithPath: "/a")),
            oauth.authorizationFlow(authorizationURL: url, redirectURL: url, parameters: ["m4rk": "m4rk"]),
            AuthenticatedResponse(head, body: body),
            try TokenResponse(status: 200, body: Data(#"{"access_token":"m4rk"}"#.utf8)),
            PreparedText.url(request.url),
            RequestError.Failure(.credentialNotRefreshed, underlyingError: late),
            RequestError.Failure(.credentialNotRefreshed, underlyingError: Unreachable(url: url)),
            RequestExtras(login: .init(user: "m4rk", password: "m4rk", scheme: .digest)),
            RequestExtras.Login(user: "m4rk", password: "m4rk", scheme: .digest),
        ])
    }

    @Test(arguments: [
        (200, #"{"access_token":"m4rk\n"}"#), (200, #"{"access_token":"m4rk","token_type":"m4rk"}"#), (200, "m4rk"),
        (200, #"{"error":"m4rk"}"#), (400, #"{"error":"m4rk","error_description":"m4rk","error_uri":"m4rk"}"#),
        (400, #"{"error":"invalid_grant","error_description":"m4rk"}"#), (400, "m4rk"), (302, "m4rk"), (503, "m4rk"),
        (200, #"{"access_token":"m4rk-new","refresh_token":"m4rk-new"}"#),
    ])
    func `No error and no log has a secret of a request for tokens`(status: Int, body: String) async throws {
        let server = try LoopbackServer {
            try $0.respond(status, headers: ["X-Token: m4rk", "Set-Cookie: m4rk=m4rk"], text: body)
        }
        let oauth = oauth(server.url("/walk-tokens"))
        let redirect = try #require(URL(string: "app:/callback"))
        let flow = oauth.authorizationFlow(authorizationURL: server.url("/"), redirectURL: redirect)
        let state = try #require(flow.url.absoluteString.firstMatch(of: #/state=([^&]*)/#)).1
        let callbacks = [
            "app:/callback?code=m4rk&state=\(state)", "app:/callback?code=m4rk&state=m4rk",
            "app:/callback?error=m4rk&error_description=m4rk&state=\(state)", "m4rk:/m4rk",
        ]
        let network = AuthenticationNetwork.real()
        var results: [Any] = []
        let messages = await messages(.all, with: "") {
            results.append(await Result { try await oauth.refresh(Self.credential, over: network) })
            results.append(await Result { try await oauth.clientCredentials(over: network) })
            for callback in callbacks.compactMap(URL.init(string:)) {
                results.append(await Result { try await flow.credential(from: callback, over: network) })
            }
            await oauth.revoke(Self.credential, over: network)
        }
        Self.expectNoMark(in: results)
        for case .failure(let error) in results.compactMap({ $0 as? Result<Credential, any Error> }) {
            Self.expectNoMark(in: [error])
        }
        Self.expectNoMark(in: messages.map(\.text))
    }

    @Test func `No text of a request with a key has the key`() async throws {
        let server = try LoopbackServer { try $0.respond(404, text: "no") }
        let authenticators = [APIKey(.header("X-Acme-Walk")), APIKey(.query("sort"))]
        var results: [Any] = []
        let messages = await messages(.all, with: "") {
            for authenticator in authenticators {
                let service = Service(baseURL: "http://127.0.0.1:\(server.port)")
                service.configure { $0.mutateRequests { authenticator.apply(Credential("m4rk-key"), to: &$0) } }
                let request = service.resource("/walk-keys").load()
                results += [request, await request.completion().response]
            }
        }
        Self.expectNoMark(in: results + messages.map(\.text))
        #expect(messages.contains { $0.text.contains("walk-keys") })
        #expect(server.requests.count == 2)
    }
}
