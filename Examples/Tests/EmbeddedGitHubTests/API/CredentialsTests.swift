import Foundation
import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("Credentials are read from the Authorization header", .timeLimit(.test))
struct CredentialsTests {
    @Test(
        "in every scheme that carries a token",
        arguments: [
            (nil, .anonymous), ("token T", .user("ada")), ("Bearer T", .user("ada")), ("BEARER T", .user("ada")),
            ("Basic bWlyYTpU", .user("ada")), ("basic VDp4LW9hdXRoLWJhc2lj", .user("ada")), ("token t", .wrong),
            ("token", .wrong), ("T", .wrong), ("", .wrong), ("token T T", .wrong), ("Digest T", .wrong),
            ("Basic T", .wrong), ("Basic bWlyYTpY", .wrong),
        ] as [(String?, Credentials)])
    func table(header: String?, expected: Credentials) {
        #expect(Credentials(authorization: header) { $0 == "T" ? "ada" : nil } == expected)
    }
}
