import Foundation
import Testing

@testable import EmbeddedGitHub

extension OverSockets {
    @Suite("The tokens of OAuth 2.0 open the API")
    struct SignedInUserTests {
        /// The time of the server.
        private let time: Guarded<Date>
        private let server: EmbeddedGitHub

        init() throws {
            let time = Guarded(Date(timeIntervalSince1970: 1_800_000_000))
            self.time = time
            server = try EmbeddedGitHub(now: { time.withLock { $0 } })
        }

        private func accessToken(of login: String) throws -> String {
            let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
            let client = "client_id=\(EmbeddedGitHub.clientID)&redirect_uri=\(EmbeddedGitHub.redirectURL)"
            let page = try server.fetch(
                "GET",
                "/login/oauth/authorize?response_type=code&\(client)&code_challenge=\(challenge)"
                    + "&code_challenge_method=S256&login=\(login)")
            let location = try #require(page.headers["location"])
            let form =
                "grant_type=authorization_code&code=\(location.split(separator: "=").last ?? "")&\(client)"
                + "&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
            let connection = try server.client()
            connection.send(
                "POST /login/oauth/access_token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(form.utf8.count)\r\n"
                    + "Content-Type: application/x-www-form-urlencoded\r\n\r\n\(form)")
            let tokens = try #require(connection.reply(to: "POST"))
            return try #require(tokens.object["access_token"] as? String)
        }

        @Test("to each user's own stars, until they expire")
        func stars() throws {
            for (login, first) in [("mira-sato", "lanternworks/harbor"), ("priya-ramanan", "bjorn-aasli/fjordfs")] {
                let authorised = ["Authorization": "Bearer \(try accessToken(of: login))"]
                let stars = try server.fetch("GET", "/user/starred", authorised)
                #expect(stars.list.first?["full_name"] as? String == first)
                #expect(try server.fetch("GET", "/user", authorised).object["login"] as? String == login)
                #expect(server.served.last?.login == login)
                time.withLock { $0 += 20 }
                #expect(try server.fetch("GET", "/user/starred", authorised).status == 401)
                #expect(server.served.last?.login == nil)
            }
            #expect(server.tokenRequestCount == 2)
        }

        @Test("and a star counts once for each user")
        func star() throws {
            let path = "/repos/lanternworks/wick"
            let count = { try server.fetch("GET", path).object["stargazers_count"] as? Int ?? -1 }
            let before = try count()
            for login in EmbeddedGitHub.logins {
                let authorised = ["Authorization": "Bearer \(try accessToken(of: login))"]
                #expect(try server.fetch("PUT", "/user/starred/lanternworks/wick", authorised).status == 204)
            }
            #expect(try count() == before + 2)
        }

        @Test("also while the API fails", arguments: EmbeddedGitHub.Behaviour.Fault.allCases)
        func faults(fault: EmbeddedGitHub.Behaviour.Fault) throws {
            server.behaviour.fault = fault
            #expect(try accessToken(of: "mira-sato").isEmpty == false)
        }
    }
}
