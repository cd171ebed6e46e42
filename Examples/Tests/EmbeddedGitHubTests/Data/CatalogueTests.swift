import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("The catalogue is a world worth browsing", .timeLimit(.test))
struct CatalogueTests {
    private let catalogue = Catalogue.shared

    @Test("with enough accounts, one very large, some empty")
    func sizes() throws {
        #expect(Catalogue.organisations.count >= 6)
        #expect(Catalogue.users.count >= 15)
        let counts = catalogue.accounts.map { catalogue.repositories(of: $0).count }
        #expect(try #require(counts.max()) >= 120)
        #expect(counts.filter { $0 == 0 }.count >= 2)
        #expect(counts.reduce(0, +) == catalogue.repositories.count)
    }

    @Test("whose every seed has an owner and whose names and ids are unique")
    func unique() {
        #expect(catalogue.repositories.count == (Catalogue.seeds + Catalogue.generatedSeeds).count)
        #expect(Set(catalogue.repositories.map(\.id)).count == catalogue.repositories.count)
        #expect(Set(catalogue.accounts.map(\.id)).count == catalogue.accounts.count)
        #expect(Set(catalogue.repositories.map(\.fullName)).count == catalogue.repositories.count)
    }

    @Test("whose dates are in order and not in the future")
    func dates() {
        for repository in catalogue.repositories {
            #expect(repository.created <= repository.pushed)
            #expect(repository.pushed <= repository.updated)
            #expect(repository.updated <= Catalogue.today)
        }
        #expect(catalogue.accounts.allSatisfy { $0.created < $0.updated && $0.updated < Catalogue.today })
    }

    @Test("where everything is found in any case")
    func lookup() throws {
        let repository = try #require(catalogue.repository("LanternWorks", "HARBOR"))
        #expect(repository.fullName == "lanternworks/harbor")
        #expect(catalogue.repository(id: repository.id) == repository)
        #expect(catalogue.repository("instytut-zorza", "ŁUNA")?.name == "łuna")
        #expect(catalogue.account("Mira-Sato")?.login == EmbeddedGitHub.login)
        #expect(catalogue.repository("lanternworks", "nothing") == nil)
    }

    @Test("where contributors come once, busiest first")
    func contributors() throws {
        let harbor = try #require(catalogue.repository("lanternworks", "harbor"))
        let contributors = catalogue.contributors(to: harbor)
        #expect(contributors.count == Catalogue.users.count)
        #expect(Set(contributors.map(\.account)).count == contributors.count)
        let numbers = contributors.map(\.contributions)
        #expect(numbers == numbers.sorted(by: >))
        let own = try #require(catalogue.repository("li-wenqing", "茶馆"))
        #expect(catalogue.contributors(to: own).first?.account.login == "li-wenqing")
    }

    @Test("where the demo user has starred something, and one description is a trap")
    func demo() {
        #expect(catalogue.starredAtFirst.mapValues(\.count) == Catalogue.stars.mapValues(\.count))
        #expect(Set(Catalogue.stars.keys) == Set(EmbeddedGitHub.logins))
        #expect(Catalogue.trap.unicodeScalars.contains { $0 == "\u{1B}" })
        #expect(catalogue.repository("brass-otter", "terminal-trap")?.description == Catalogue.trap)
    }
}
