import Dispatch
import Foundation
import Testing

@testable import EmbeddedGitHub

extension OverSockets {
    @Suite("The log tells what was served")
    struct ServedRequestTests {
        @Test("with method, target, status, and what was sent along")
        func entries() throws {
            let server = try EmbeddedGitHub()
            _ = try server.fetch("GET", "/search/users?q=a%20b")
            _ = try server.fetch("GET", "/user", EmbeddedGitHub.authorised)
            _ = try server.fetch("HEAD", "/users/mira-sato", ["If-None-Match": "*"])
            _ = try server.fetch("GET", "/users/mira-sato", ["Authorization": "token wrong"])
            #expect(
                server.served == [
                    .init("GET", "/search/users?q=a%20b", 200),
                    .init("GET", "/user", 200, isAuthorised: true),
                    .init("HEAD", "/users/mira-sato", 304, isConditional: true),
                    .init("GET", "/users/mira-sato", 401),
                ])
        }

        @Test("to observers too, in the same order, who may call the server")
        func observers() throws {
            let server = try EmbeddedGitHub()
            let seen = Guarded<[EmbeddedGitHub.ServedRequest]>([])
            let isDone = DispatchSemaphore(value: 0)
            server.onServed { [weak server] entry in
                seen.withLock { $0.append(entry) }
                if entry.target.hasSuffix("last") {
                    server?.stop()
                    isDone.signal()
                }
            }
            for target in ["/users/mira-sato", "/users/old-rope"] { _ = try server.fetch("GET", target) }
            try server.client().request("GET", "/users/last")
            #expect(isDone.wait(timeout: .now() + 20) == .success)
            #expect(seen.withLock { $0 } == server.served)
            #expect(server.served.count == 3)
        }

        @Test("for the latest five hundred only")
        func bounded() throws {
            let server = try EmbeddedGitHub()
            let client = try server.client()
            for number in 0..<(Exchange.logLimit + 5) {
                client.request("HEAD", "/users/\(number)")
                _ = client.reply(to: "HEAD")
            }
            #expect(server.served.count == Exchange.logLimit)
            #expect(server.served.first?.target == "/users/5")
        }
    }
}

extension EmbeddedGitHub.ServedRequest {
    fileprivate init(
        _ method: String, _ target: String, _ status: Int, isConditional: Bool = false, isAuthorised: Bool = false
    ) {
        self.init(
            method: method, target: target, status: status, isConditional: isConditional,
            login: isAuthorised ? EmbeddedGitHub.login : nil)
    }
}
