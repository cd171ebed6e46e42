import Foundation
import GitHubFixture
import Siesta
import SiestaTesting
import TestKit
import Testing

@testable import GitHubClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The avatars", .timeLimit(.test))
@MainActor
struct AvatarServiceTests {
    private let network = StubNetwork()

    @Test("are loaded in the size that is needed, from wherever the API says, without a token")
    func size() async throws {
        let service = AvatarService(networking: network)
        network.handler = { _ in .response(200, headers: ["Content-Type": "image/png"], body: Data([1, 2, 3])) }
        let url = try #require(URL(string: "https://avatars.test/u/42?v=4"))
        let avatar = try #require(service.avatar(at: url, pixels: 128))
        await avatar.load().completion()
        #expect(network.requests.map(\.url?.absoluteString) == ["https://avatars.test/u/42?v=4&s=128"])
        #expect(network.requests.first?.value(forHTTPHeaderField: "Authorization") == nil)
        #expect(avatar.typedContent() == Data([1, 2, 3]))
        #expect(service.avatar(at: url, pixels: 128) === avatar)
    }

    @Test("do not exist without an address")
    func none() {
        #expect(AvatarService(networking: network).avatar(at: nil, pixels: 128) == nil)
    }

    @Test("have addresses in accounts, owners and contributors")
    func addresses() async throws {
        let fixture = try Fixture()
        fixture.network.answer(
            .get, "/users/ada",
            with: .json(#"{"login": "ada", "type": "User", "avatar_url": "https://avatars.test/ada"}"#))
        let account = try await fixture.api.account("ada").get(.always)
        #expect(account.avatarUrl?.absoluteString == "https://avatars.test/ada")
    }
}
