import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("A repository order sorts lists", .timeLimit(.test))
struct RepositoryOrderTests {
    private func sorted(_ text: String, otherwise: RepositoryOrder = .fullName) throws -> [Repository] {
        let query = try #require(Query(encoded: text))
        return RepositoryOrder.sort(Catalogue.shared.repositories, by: query, otherwise: otherwise)
    }

    @Test("by every key, dates latest first")
    func keys() throws {
        let byPush = try sorted("sort=pushed").map(\.pushed)
        #expect(byPush == byPush.sorted(by: >))
        let byUpdate = try sorted("sort=updated").map(\.updated)
        #expect(byUpdate == byUpdate.sorted(by: >))
        let byCreation = try sorted("sort=created&direction=asc").map(\.created)
        #expect(byCreation == byCreation.sorted())
        let byName = try sorted("").map { $0.fullName.lowercased() }
        #expect(byName == byName.sorted())
    }

    @Test("by the default if the key is unknown")
    func unknown() throws {
        #expect(try sorted("sort=colour", otherwise: .created) == sorted("sort=created"))
        #expect(try sorted("direction=desc") == sorted("").reversed())
    }
}
