import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tokens of an OAuth 2.0 server that was not written here. Its access tokens expire after two seconds.
@MainActor
@Suite(
    .timeLimit(.test), .enabled(if: ForeignServer.oauth.isRunning, "Run .ci/servers to start the OAuth server"))
struct AuthorizationServerTests {
    private func url(_ path: String) throws -> URL {
        let address = try #require(ForeignServer.oauth.address)
        return try #require(URL(string: address + path))
    }

    private func oauth(_ client: String = "app", _ secret: String? = nil, inBody: Bool = false)
        throws -> OAuth2
    {
        OAuth2(
            tokenURL: try url("/token"), clientID: client, clientSecret: secret, sendsSecretInBody: inBody,
            revocationURL: try url("/revoke"))
    }

    private let network = AuthenticationNetwork.real()

    private func flow(_ oauth: OAuth2, query: String = "") throws -> OAuth2.AuthorizationFlow {
        oauth.authorizationFlow(
            authorizationURL: try url("/authorize" + query), redirectURL: try url("/callback"), scopes: ["profile"])
    }

    /// Opens a URL as a browser does, and returns the URL to which it was redirected.
    private func browse(_ flow: OAuth2.AuthorizationFlow) async throws -> URL {
        let end = try await Service().resource(absoluteURL: flow.url).load().completion().object()
        return try #require((end["url"] as? String).flatMap(URL.init(string:)))
    }

    private func signIn(_ oauth: OAuth2) async throws -> Credential {
        let flow = try flow(oauth)
        return try await flow.credential(from: try await browse(flow), over: network)
    }

    /// Returns the status of a request with the credential.
    private func status(_ credential: Credential) async throws -> Int {
        var request = URLRequest(url: try url("/me"))
        try oauth().apply(credential, to: &request)
        return try await network.send(request).status
    }

    /// Returns true if the server accepts a credential, unless it has expired meanwhile, as on a busy machine.
    private func isAccepted(_ credential: Credential) async throws -> Bool {
        let answer = try await status(credential)
        return answer == 200 || network.now >= credential.expirationDate ?? .distantFuture
    }

    @Test func `A code is exchanged once, with the verifier of its flow only`() async throws {
        let oauth = try oauth()
        let flow = try flow(oauth)
        let callback = try await browse(flow)
        let credential = try await flow.credential(from: callback, over: network)
        #expect(credential.refreshToken != nil)
        #expect(credential.details["scope"] == "profile")
        #expect(credential.expirationDate != nil)
        #expect(try await isAccepted(credential))
        let repeated = await #expect(throws: RequestError.self) {
            _ = try await flow.credential(from: callback, over: network)
        }
        #expect((repeated?.cause as? RequestError.Failure)?.name == "invalid_grant")
        let thief = OAuth2.AuthorizationFlow(
            oauth, try url("/authorize"), redirectURL: try url("/callback"), scopes: [], parameters: [:],
            state: "stolen", verifier: RandomText.make())
        let stolen = try await browse(try self.flow(oauth)).absoluteString.replacing(
            #/state=[^&]*/#, with: "state=stolen")
        let stolenURL = try #require(URL(string: stolen))
        let error = await #expect(throws: RequestError.self) {
            _ = try await thief.credential(from: stolenURL, over: network)
        }
        #expect((error?.cause as? RequestError.Failure)?.name == "invalid_grant")
    }

    @Test func `A user who denies the authorization is an error with this code`() async throws {
        let flow = try flow(try oauth(), query: "?deny=1")
        let callback = try await browse(flow)
        let error = await #expect(throws: RequestError.self) {
            _ = try await flow.credential(from: callback, over: network)
        }
        #expect((error?.cause as? RequestError.Failure)?.name == "access_denied")
    }

    @Test func `An expired token is refreshed, and the refresh token works once`() async throws {
        let oauth = try oauth()
        let first = try await signIn(oauth)
        #expect(!oauth.expires(first, by: network.now + oauth.leeway))
        try await Poll.until { oauth.expires(first, by: network.now + oauth.leeway) }
        try await Poll.until { network.now > first.expirationDate ?? .distantPast }
        var answer = try await status(first)
        while answer == 200 { answer = try await status(first) }  // its clock counts whole seconds
        #expect(answer == 401)
        let second = try await oauth.refresh(first, over: network)
        #expect(try await isAccepted(second))
        #expect(second.secret != first.secret)
        #expect(second.refreshToken != first.refreshToken)
        await #expect(throws: SessionExpired(reason: "invalid_grant")) {
            _ = try await oauth.refresh(first, over: network)
        }
        #expect(try await oauth.refresh(second, over: network).refreshToken != second.refreshToken)
    }

    @Test func `A revoked credential neither works nor can be refreshed`() async throws {
        let oauth = try oauth()
        let credential = try await signIn(oauth)
        await oauth.revoke(credential, over: network)
        #expect(try await status(credential) == 401)
        await #expect(throws: SessionExpired(reason: "invalid_grant")) {
            _ = try await oauth.refresh(credential, over: network)
        }
    }

    @Test(arguments: [("machine", false), ("posting", true)])
    func `A client with a secret obtains tokens for itself`(
        client: String, inBody: Bool
    ) async throws {
        let oauth = try oauth(client, "s€cret: +&%", inBody: inBody)
        let credential = try await oauth.clientCredentials(scopes: ["mail"], over: network)
        #expect(credential.refreshToken == nil)
        #expect(credential.details["scope"] == "mail")
        #expect(try await isAccepted(credential))
        #expect(try await oauth.refresh(credential, over: network).secret != credential.secret)
        let wrong = try self.oauth(client, "wrong", inBody: inBody)
        await #expect(throws: SessionExpired(reason: "invalid_client")) {
            _ = try await wrong.refresh(credential, over: network)
        }
    }

    @Test func `A device waits until the user has entered its code, and asks less often if the server asks for it`()
        async throws
    {
        let clock = TestClock()
        let network = AuthenticationNetwork.real(clock: clock.clock)
        let oauth = try oauth("television")
        let device = try await oauth.deviceAuthorization(at: try url("/codes"), scopes: ["profile"], over: network)
        #expect(device.verificationURL == (try url("/device")))
        let task = Task { try await device.credential(over: network) }
        // The server measures real time, in which these requests follow one another at once.
        for delay in [1.0, 1] {
            try await clock.waitForTimers(1)
            #expect(clock.timers == [delay])
            clock.advance(by: delay)
        }
        try await clock.waitForTimers(1)
        #expect(clock.timers == [6])
        let page = try #require(device.completeVerificationURL)
        let answer = try await Service().resource(absoluteURL: page).load().completion().object()
        #expect(answer["consent"] as? Bool == true)
        clock.advance(by: 6)
        let credential = try await task.value
        #expect(try await isAccepted(credential))
        #expect(credential.details["scope"] == "profile")
        #expect(try await oauth.refresh(credential, over: self.network).secret != credential.secret)
    }

    @Test func `A user who refuses a device ends its wait`() async throws {
        let clock = TestClock()
        let network = AuthenticationNetwork.real(clock: clock.clock)
        let device = try await oauth("television").deviceAuthorization(at: try url("/codes"), over: network)
        let page = try #require(device.completeVerificationURL)
        let denial = try #require(URL(string: page.absoluteString + "&deny=1"))
        _ = try await Service().resource(absoluteURL: denial).load().completion().object()
        let task = Task { try await device.credential(over: network) }
        try await clock.waitForTimers(1)
        clock.advance(by: 1)
        let error = await #expect(throws: RequestError.self) { _ = try await task.value }
        #expect((error?.cause as? RequestError.Failure)?.name == "access_denied")
    }

    @Test func `A password is exchanged for tokens`() async throws {
        let oauth = try oauth("legacy")
        let credential = try await oauth.passwordCredentials(
            user: "ada", password: "s€cret: +&%", scopes: ["mail"], over: network)
        #expect(try await isAccepted(credential))
        #expect(credential.details["scope"] == "mail")
        let error = await #expect(throws: RequestError.self) {
            _ = try await oauth.passwordCredentials(user: "ada", password: "wrong", over: network)
        }
        #expect(error?.code == .authorizationRefused)
    }

    @Test func `A service stays signed in while its tokens expire, until they are revoked`() async throws {
        let oauth = try oauth()
        let service = try ForeignServer.oauth.service()
        service.authenticate(with: oauth)
        try await service.signIn("ada", with: try await signIn(oauth))
        var rounds = 0
        while rounds < 25 {  // At least five seconds, in which two tokens expire.
            let start = Date()
            let requests = ["a", "b", "c"].map { service.resource("/me").withParam("n", $0).load() }
            var answers: [ResponseInfo] = []
            for request in requests { answers.append(await request.completion()) }
            // A token lasts two seconds. On a machine that is busy for longer, a new token may expire before it is used. Such a
            // round does not count.
            if Date().timeIntervalSince(start) < 1 {
                for answer in answers { #expect(try answer.object()["user"] as? String == "ada") }
                rounds += 1
            }
            await Moment.after(.milliseconds(200))
        }
        #expect(service.session?.state == .signedIn("ada"))
        await service.signOut()
        #expect(await service.resource("/me").load().completion().failure?.httpStatusCode == 401)
    }

    @Test func `A log-in by cookie lasts until the sign-out`() async throws {
        let service = try ForeignServer.oauth.service()
        let other = try ForeignServer.oauth.service()
        service.authenticate(with: BearerToken())
        let profile = service.resource("/profile")
        #expect(await profile.load().completion().failure?.httpStatusCode == 401)
        _ = try await service.resource("/log-in").request(.post, urlEncoded: ["user": "ada"]).completion().object()
        try await service.signIn("ada", with: Credential("unused"))
        #expect(try await profile.load().completion().object()["user"] as? String == "ada")
        #expect(await other.resource("/profile").load().completion().failure?.httpStatusCode == 401)
        await service.signOut()
        #expect(await profile.load().completion().failure?.httpStatusCode == 401)
    }
}
