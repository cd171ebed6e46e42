import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaStorage
import SiestaTesting
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if Encryption
import SiestaEncryption
#endif

nonisolated struct Tokens: Codable, Sendable {
    var user: String
    var access: String
    var refresh: String

    var credential: Credential { Credential(access, refreshToken: refresh) }
}

/// Sends the credential in a header of the company.
nonisolated struct CompanyHeader: Authenticator {
    let credentials: any CredentialStore

    let credentialHeaders: Set<String> = ["X-Company-Session"]

    func apply(_ credential: Credential, to request: inout URLRequest) {
        request.setValue(credential.secret, forHTTPHeaderField: "X-Company-Session")
    }

    func isRefusal(_ response: AuthenticatedResponse) -> Bool {
        response.status == 403 && response.header("X-Reason") == "session"
    }
}

nonisolated struct CookieLogin: Authenticator {
    let credentials: any CredentialStore

    func apply(_ credential: Credential, to request: inout URLRequest) {}  // The service sends the cookie.
}

extension Samples {
    /// The article "Signing in and out", and the doc comments of sessions.
    @MainActor
    struct SigningInAndOut {
        let server = stage.newServer()
        let service = Service(baseURL: "https://api.example.com")
        let temporary = SampleFolder()
        var file: URL { temporary.url.appendingPathComponent("session") }
        let tokenURL: URL
        let authorizationURL: URL
        let revocationURL: URL
        let renewalURL: URL
        let redirectURL: URL

        init() throws {
            func url(_ text: String) throws -> URL { try #require(URL(string: text)) }
            tokenURL = try url("https://auth.example.com/token")
            authorizationURL = try url("https://auth.example.com/authorize")
            revocationURL = try url("https://auth.example.com/revoke")
            renewalURL = try url("https://api.example.com/renew")
            redirectURL = try url("com.example.app:/callback")
            server.answer("GET /users/42", .json(#"{"id": 42, "name": "Ada"}"#))
        }

        /// The values of the field `Authorization`, in the order of the requests.
        private var credentials: [String?] { server.requests.map { $0.header("Authorization") } }

        @Test func `A service signs in and out`() async throws {
            let token = "t1"
            service.authenticate(with: .bearer(credentials: .file(at: file)))
            try await service.signIn("ada", with: Credential(token))
            _ = try await service.resource("/users/42").load().value
            #expect(FileManager.default.fileExists(atPath: file.path))
            await service.signOut()
            #expect(service.session?.state == .signedOut)
            #expect(service.resource("/users/42").latestData == nil)
            #expect(credentials == ["Bearer t1"])
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }

        @Test func `The server of the app issues tokens, and renews them`() async throws {
            let password = "p"
            server.answer("POST /log-in", .json(#"{"user": "ada", "access": "a1", "refresh": "r1"}"#))
            server.answer("POST /renew", .json(#"{"user": "ada", "access": "a2", "refresh": "r2"}"#))
            server.answer("GET /users/42", .status(401), .json(#"{"id": 42, "name": "Ada"}"#))
            service.authenticate(
                with: .bearer(
                    credentials: .file(at: file),
                    refresh: { [renewalURL] old, network in
                        var request = URLRequest(url: renewalURL)
                        request.httpMethod = "POST"
                        request.setValue(old.refreshToken, forHTTPHeaderField: "X-Refresh-Token")
                        let response = try await network.send(request)
                        if response.status == 401 { throw SessionExpired() }
                        guard response.status == 200 else { throw URLError(.badServerResponse) }
                        return try JSONDecoder().decode(Tokens.self, from: response.body).credential
                    }))
            let accounts = Service(baseURL: "https://api.example.com")  // It has no session.
            let tokens = try await accounts.resource("/log-in")
                .request(.post, body: .json(["name": "ada", "password": password]))
                .value.decoded(as: Tokens.self)
            try await service.signIn(tokens.user, with: tokens.credential)
            _ = try await service.resource("/users/42").load().value
            #expect(credentials == [nil, "Bearer a1", nil, "Bearer a2"])
            #expect(server.requests[2].header("X-Refresh-Token") == "r1")
            let next = UserSession(.bearer(credentials: .file(at: file)))
            #expect(next.principal == "ada")
        }

        /// The part of an app that opens a browser and waits for the redirect.
        @MainActor
        struct Browser {
            var visited: (URL) -> Void = { _ in }

            func redirect(from url: URL) async throws -> URL {
                visited(url)
                let state = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?
                    .first { $0.name == "state" }?.value
                return try #require(URL(string: "com.example.app:/callback?code=c1&state=\(state ?? "")"))
            }
        }

        @Test func `OAuth 2 in a browser`() async throws {
            let (api, accounts, browser) = (service, Service(baseURL: "https://api.example.com"), Browser())
            server.answer(
                "POST /token", .json(#"{"access_token": "a1", "refresh_token": "r1", "expires_in": 3600}"#))
            server.answer("GET /me", .json(#"{"id": 42, "name": "Ada"}"#))
            let oauth = OAuth2(
                tokenURL: tokenURL, clientID: "my-app", revocationURL: revocationURL, credentials: .file(at: file))
            api.authenticate(with: oauth)
            let flow = oauth.authorizationFlow(
                authorizationURL: authorizationURL, redirectURL: redirectURL, scopes: ["profile"])
            let callback = try await browser.redirect(from: flow.url)  // Code of the app.
            let credential = try await flow.credential(from: callback, over: api.authenticationNetwork)
            let me = try await accounts.resource("/me")
                .request(.get) { oauth.apply(credential, to: &$0) }
                .value.decoded(as: User.self)
            try await api.signIn(String(me.id), with: credential)
            #expect(api.principal == "42")
            _ = try await api.resource("/users/42").load().value
            #expect(credentials == [nil, "Bearer a1", "Bearer a1"])
            await api.signOut()
            #expect(server.received.suffix(2) == ["POST /revoke", "POST /revoke"])
        }

        @Test func `OAuth 2 without a browser`() async throws {
            let clock = TestClock()
            let api = clock.whileCurrent { Service(baseURL: "https://api.example.com") }
            let deviceURL = try #require(URL(string: "https://auth.example.com/device"))
            let codes = """
                {"device_code": "d1", "user_code": "WDJB-MJHT", "verification_uri": "https://example.com/tv", \
                "expires_in": 1800}
                """
            server.answer("POST /device", .json(codes))
            server.answer("POST /token", .json(#"{"access_token": "a1", "refresh_token": "r1"}"#))
            let oauth = OAuth2(tokenURL: tokenURL, clientID: "my-app")
            api.authenticate(with: oauth)
            Task {
                try await clock.waitForTimers(1)
                clock.advance(by: 5)
            }
            let device = try await oauth.deviceAuthorization(
                at: deviceURL, scopes: ["profile"], over: api.authenticationNetwork)
            show("Open \(device.verificationURL) and enter \(device.userCode).")
            let credential = try await device.credential(over: api.authenticationNetwork)
            #expect(stage.printed == ["Open https://example.com/tv and enter WDJB-MJHT."])
            try await api.signIn("ada", with: credential)
            #expect(api.principal == "ada")
        }

        @Test func `A name and a password are exchanged for tokens`() async throws {
            let (api, password) = (service, "p")
            server.answer("POST /token", .json(#"{"access_token": "a1", "refresh_token": "r1"}"#))
            let oauth = OAuth2(tokenURL: tokenURL, clientID: "my-app")
            api.authenticate(with: oauth)
            let credential = try await oauth.passwordCredentials(
                user: "ada", password: password, over: api.authenticationNetwork)
            try await api.signIn("ada", with: credential)
            #expect(api.principal == "ada")
        }

        @Test func `A program obtains a credential for itself`() async throws {
            let (api, secret) = (service, "s")
            server.answer("POST /token", .json(#"{"access_token": "a1", "expires_in": 3600}"#))
            let oauth = OAuth2(tokenURL: tokenURL, clientID: "reports", clientSecret: secret)
            api.authenticate(with: oauth)
            try await api.signIn("reports", with: oauth.clientCredentials(over: api.authenticationNetwork))
            _ = try await api.resource("/users/42").load().value
            #expect(credentials.last == "Bearer a1")
        }

        @Test func `Keys and passwords`() async throws {
            let (weather, builds, key, password) = (service, Service(baseURL: "https://ci.example.com"), "k", "p")
            weather.authenticate(with: .apiKey(header: "X-API-Key"))
            try await weather.signIn("my-tool", with: Credential(key))
            builds.authenticate(with: .basic())
            try await builds.signIn("ada", with: Credential(user: "ada", password: password))
            _ = try await weather.resource("/users/42").load().value
            _ = try await builds.resource("/users/42").load().value
            #expect(server.requests[0].header("X-API-Key") == "k")
            #expect(credentials == [nil, "Basic YWRhOnA="])
        }

        @Test func `Digest`() async throws {
            let password = "p"
            let challenge = DigestChallenge(user: "ada", password: password, algorithm: .sha256)
            server.answer(
                "GET /status",
                .script { exchange in
                    guard challenge.isAnswered(by: exchange.request, nonce: "n") else {
                        return try exchange.respond(401, headers: [challenge.line(nonce: "n")])
                    }
                    try exchange.respond(headers: ["Content-Type: text/plain"], text: "in")
                })
            // The server of the sample is behind a provider of the tests, which performs no login.
            let printer = Siesta.Service(baseURL: "http://127.0.0.1:\(server.port)")
            printer.authenticate(with: .digest())
            try await printer.signIn("ada", with: Credential(user: "ada", password: password))
            #if os(Linux)
            for _ in 1...2 { #expect(try await printer.resource("/status").load().value.content() == "in") }
            #expect(server.received.count == 4)
            #endif
        }

        @MainActor @Test func `A refused token is renewed`() async throws {
            let network = StubNetwork()
            network.answer(.get, "/v1/users/42", with: .response(401), .json(#"{"id": 42, "name": "Ada"}"#))
            let api = MyAPI(networking: network)
            api.authenticate(with: .bearer(refresh: { _, _ in Credential("t2") }))
            try await api.signIn("ada", with: Credential("t1"))
            #expect(try await api.user(42).get().name == "Ada")
            #expect(
                network.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == ["Bearer t1", "Bearer t2"])
        }

        @Test func `An authenticator of the app`() async throws {
            server.answer(
                "GET /users/42", .json("{}"), .json("{}", status: 403),
                .json("{}", status: 403, headers: ["X-Reason: session"]))
            service.authenticate(with: CompanyHeader(credentials: .file(at: file)))
            try await service.signIn("ada", with: Credential("s1"))
            let user = service.resource("/users/42")
            for isExpired in [false, false, true] {
                await user.load().completion()
                #expect((user.latestError?.cause is SessionExpired) == isExpired)
            }
            #expect(server.requests.first?.header("X-Company-Session") == "s1")
            #expect(service.session?.state == .expired(SessionExpired()))
        }

        @Test func `Services share a session`() async throws {
            let oauth = OAuth2(tokenURL: tokenURL, clientID: "app")
            let (users, photos) = (service, Service(baseURL: "https://photos.example.com"))
            let session = UserSession(oauth)
            users.authenticate(sharing: session)
            photos.authenticate(sharing: session, alsoAt: ["https://cdn.example.com"])
            try await session.signIn("ada", with: Credential("a1"))
            server.answer("GET /1.jpg", .text("a photo"))
            _ = try await users.resource("/users/42").load().value
            _ = try await photos.resource(absoluteURL: "https://cdn.example.com/1.jpg").load().value
            await users.resource(absoluteURL: "https://cdn.example.com/1.jpg").load().completion()
            #expect(credentials == ["Bearer a1", "Bearer a1", nil])
            await session.signOut()
            #expect(users.principal == nil)
            #expect(photos.principal == nil)
        }

        @Test func `Doc comments of sessions`() async throws {
            let (users, photos) = (service, Service(baseURL: "https://photos.example.com"))
            do {
                let session = UserSession(OAuth2(tokenURL: tokenURL, clientID: "app", credentials: .file(at: file)))
                users.authenticate(sharing: session)
                photos.authenticate(sharing: session)
                #expect(session.state == .signedOut)
            }
            service.authenticate(with: OAuth2(tokenURL: tokenURL, clientID: "app", credentials: .file(at: file)))
            #expect(service.session?.state == .signedOut)
            if service.session?.state == .signedOut { showSignIn() }
            #expect(stage.printed == ["sign-in"])
            func showSignIn() { stage.print("sign-in") }
        }

        @Test func `A screen shows the session`() async throws {
            let api = service
            let session = api.authenticate(with: .bearer())
            let screen = Task {
                for await state in session.states {
                    switch state {
                    case .signedOut: show("Welcome. Please sign in.")
                    case .signedIn, .refreshing: show(api.principal)
                    case .expired: show("\(api.principal ?? ""), please sign in again.")
                    }
                }
            }
            try await stage.hasPrinted("Welcome")
            try await api.signIn("ada", with: Credential("t1"))
            try await stage.hasPrinted("ada")
            server.answer("GET /users/42", .status(401))
            await api.resource("/users/42").load().completion()
            try await stage.hasPrinted("ada, please")
            screen.cancel()
        }

        @Test func `A sign-in that fails shows a message`() async {
            let missing = URL(fileURLWithPath: "/dev/null/session")
            service.authenticate(with: BearerToken(credentials: .file(at: missing)))
            for token in ["t1\n", "t1"] {
                do {
                    try await service.signIn("ada", with: Credential(token))
                } catch {
                    switch error.code {  // The type of `error` is RequestError.
                    case .cancelled: break  // Another sign-in or a sign-out has replaced this one.
                    case .credentialNotSaved: show("You are not signed in: \(error.userMessage)")
                    default: show(error.userMessage)
                    }
                }
            }
            let messages = UserMessages.current
            let unsaved = "You are not signed in: \(messages.cannotSaveCredential)"
            #expect(stage.printed == [messages.cannotSendRequest, unsaved])
            #expect(service.session?.state == .signedOut)
        }

        @Test func `Resources of all users keep their data`() async throws {
            server.answer("GET /public/news", .json("{}"))
            service.authenticate(with: .bearer())
            service.configure("/public/**") { $0.isPersonal = false }
            try await service.signIn("ada", with: Credential("t1"))
            for path in ["/public/news", "/users/42"] { _ = try await service.resource(path).load().value }
            try await service.signIn("bob", with: Credential("t2"))
            #expect(service.resource("/public/news").latestData != nil)
            #expect(service.resource("/users/42").latestData == nil)
        }

        @Test func `Each user has a part of the cache`() async throws {
            let folder = temporary.url.appendingPathComponent("cache")
            service.authenticate(with: .bearer())
            service.configure { $0.pipeline[.rawData].cacheUsing(.file(at: folder)) }
            try await service.signIn("ada", with: Credential("t1"))
            let user = service.resource("/users/42")
            _ = try await user.load().value
            for (name, hasData) in [("bob", false), ("ada", true)] {
                try await service.signIn(name, with: Credential("t2"))
                await service.warm(urls: ["https://api.example.com/users/42"])
                #expect((user.latestData != nil) == hasData)
            }
            await service.signOut()
            try await service.signIn("ada", with: Credential("t1"))
            await service.warm(urls: ["https://api.example.com/users/42"])
            #expect(user.latestData == nil)
        }

        #if Encryption
        @Test func `A file is encrypted`() async throws {
            let key = Data(repeating: 7, count: 32)
            let store: StandardCredentialStore = .file(at: file, sealing: try AESGCMSealing(key: key))
            service.authenticate(with: .bearer(credentials: store))
            try await service.signIn("ada", with: Credential("s3cret"))
            let content = try Data(contentsOf: file)
            #expect(content.range(of: Data("s3cret".utf8)) == nil)
            #expect(try store.load()?.principal == "ada")
        }
        #endif

        @Test func `A log-in by cookie`() async throws {
            let (cookieFile, password) = (temporary.url.appendingPathComponent("cookies"), "p")
            server.answer("POST /log-in", .status(204))
            let shop = Service(baseURL: "https://shop.example.com", cookies: .file(at: cookieFile))
            shop.authenticate(with: CookieLogin(credentials: .file(at: file)))
            await shop.signOut()  // Removes the cookies of the last user.
            let logIn = shop.resource("/log-in").request(.post, body: .form(["name": "ada", "password": password]))
            try await logIn.value.content(as: Void.self)
            try await shop.signIn("ada", with: Credential(""))
            #expect(shop.principal == "ada")
            await shop.resource("/missing").load().completion()
            #expect(shop.session?.state == .signedIn("ada"))
            #expect(credentials == [nil, nil])
        }

        @Test func `The doc comment of cookies`() async throws {
            let service = Service(baseURL: "https://api.example.com", cookies: .none)
            _ = try await service.resource("/users/42").load().value
            #expect(await service.cookies.isEmpty)
        }

        @Test func `Errors tell what to do`() async throws {
            let ada = service.resource("/users/42")
            service.configure { $0.retryTime = 0 }
            server.answer("GET /users/42", .status(401))
            server.answer("POST /token", .status(503))
            let limit = RefreshLimit(5, per: 3600)  // With the standard limit, requests wait.
            service.authenticate(with: OAuth2(tokenURL: tokenURL, clientID: "app", refreshLimit: limit))
            try await service.signIn("ada", with: Credential("t1", refreshToken: "r1"))
            func load() async {
                do {
                    _ = try await ada.load().value
                } catch {
                    switch error.code {
                    case .sessionExpired: print("sign in again")
                    case .credentialNotRefreshed: print("no new token:", error)
                    case .tooManyRefreshes: print("wait \(Int(error.retryAfter ?? 0)) s")
                    default: print(error.userMessage)
                    }
                }
            }
            for _ in 0..<6 { await load() }
            #expect(stage.printed.prefix(5).allSatisfy { $0.hasPrefix("no new token:") })
            #expect(stage.printed.last?.hasPrefix("wait 3") == true)
            server.answer("POST /token", .json(#"{"error": "invalid_grant"}"#, status: 400))
            try await service.signIn("ada", with: Credential("t2", refreshToken: "r2"))
            await load()
            #expect(stage.printed.last == "sign in again")
        }
    }
}
