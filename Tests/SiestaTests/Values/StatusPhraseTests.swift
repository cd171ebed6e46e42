import SiestaCore
import TestKit
import Testing

@testable import SiestaNetworking

@Suite(.timeLimit(.test))
struct StatusPhraseTests {
    @Test(arguments: [
        ("Not Found", "Not found"), ("not found", "Not found"), ("Gone", "Gone"), ("", ""), ("x", "X"),
        ("HTTP Version Not Supported", "HTTP version not supported"), ("URI Too Long", "URI too long"),
        ("request-URI too long", "Request-uri too long"), ("I'm A Teapot", "I'm a teapot"), ("404 OK", "404 OK"),
    ])
    func `Only the first letter and acronyms are in upper case`(phrase: String, sentence: String) {
        #expect(StatusPhrase.sentence(phrase) == sentence)
    }
}
