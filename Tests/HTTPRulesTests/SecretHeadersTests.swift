import HTTPRules
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct SecretHeadersTests {
    @Test(arguments: [
        "Authorization", "PROXY-AUTHORIZATION", "Cookie", "Set-Cookie", "X-Api-Key", "Api-Key", "X-Auth-Token",
        "X-Access-Token", "X-CSRF-Token", "X-Amz-Security-Token", "Authentication-Info", "X-Acme-Session",
        "X-Acme-Secret", "X-Acme-Password", "DPoP", "X-Auth",
        "X-Auth-Key", "X-Access-Key", "X_KEY", "X-JWT", "X-OTP", "X-Pin", "X-SID", "Bearer",
    ])
    func `Names of credentials are secret in any case`(name: String) {
        #expect(SecretHeaders.include(name))
        #expect(SecretHeaders.include(name.uppercased()))
    }

    @Test(arguments: [
        "Accept", "Content-Type", "ETag", "Location", "WWW-Authenticate", "Host", "Vary", "X-Author", "Keep-Alive",
        "Idempotency-Key", "X-Pinned",
    ])
    func `Other names are not`(name: String) {
        #expect(!SecretHeaders.include(name))
    }

    @Test func `An app adds names`() {
        #expect(SecretHeaders.include("X-Acme", among: ["x-acme"]))
    }

    @Test func `A name that has many combining marks without its separators is secret`() {
        let growth = Growth(of: 2_000) {
            "a" + String(repeating: "\u{5B1}.\u{5B0}.", count: $0)
        } _: { name in
            #expect(SecretNames.include(name))
        }
        #expect(growth.isBounded, "\(growth)")
    }
}
