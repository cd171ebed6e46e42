import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("A user search finds accounts by login and name", .timeLimit(.test))
struct UserSearchTests {
    @Test(
        "without regard to case and accents, prefixes first",
        arguments: [
            ("MIRA", ["mira-sato"]), ("elodie", ["elodie-varga"]), ("Źródło", ["tomasz-zrodlo"]), ("柚子", ["yuzu-kobo"]),
            ("نور", ["noor-haddad"]), ("🦊", ["dave-vulpes"]), ("lantern", ["lanternworks"]), ("nobody-at-all", []),
            ("inês duarte", ["ines-duarte"]), ("otter type:user", []), ("otter type:org", ["brass-otter"]),
            ("otter in:login", ["brass-otter"]), ("is", ["zeynep-isikli"]),
        ])
    func table(text: String, logins: [String]) throws {
        let search = try #require(UserSearch(text))
        #expect(search.matches(in: Catalogue.shared.accounts).map(\.login).prefix(2) == logins.prefix(2))
    }

    @Test("unless there is nothing to search for", arguments: [nil, "", "  ", "\n"])
    func empty(text: String?) {
        #expect(UserSearch(text) == nil)
    }

    @Test("or only by kind")
    func kind() throws {
        let found = try #require(UserSearch("type:org")).matches(in: Catalogue.shared.accounts)
        #expect(found.map(\.login).sorted() == Catalogue.organisations.map(\.login).sorted())
    }
}
