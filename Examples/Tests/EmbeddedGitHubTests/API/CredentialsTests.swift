import Foundation
import Testing

@testable import EmbeddedGitHub

@Suite("Credentials are read from the Authorization header", .timeLimit(.minutes(30)))
struct CredentialsTests {
    @Test(
        "in every scheme that carries a token",
        arguments: [
            (nil, .anonymous), ("token T", .demoUser), ("Bearer T", .demoUser), ("BEARER T", .demoUser),
            ("Basic bWlyYTpU", .demoUser), ("basic VDp4LW9hdXRoLWJhc2lj", .demoUser), ("token t", .wrong),
            ("token", .wrong), ("T", .wrong), ("", .wrong), ("token T T", .wrong), ("Digest T", .wrong),
            ("Basic T", .wrong), ("Basic bWlyYTpY", .wrong),
        ] as [(String?, Credentials)])
    func table(header: String?, expected: Credentials) {
        #expect(Credentials(authorization: header, token: "T") == expected)
    }
}
