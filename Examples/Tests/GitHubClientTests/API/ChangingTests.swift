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

@Suite("Changes by the user", .timeLimit(.test))
@MainActor
struct ChangingTests {
    private static let address = "/repos/ada/engine"

    private let fixture: Fixture
    private var api: GitHubAPI { fixture.api }
    private var network: StubNetwork { fixture.network }

    init() throws {
        fixture = try Fixture(token: "secret")
    }

    private func version(_ tag: String, _ description: String, stars: Int = 7) -> StubAnswer {
        let json = Fixture.repository("engine", stars: stars)
            .replacingOccurrences(of: "\"description\": null", with: "\"description\": \"\(description)\"")
        return .json(json, headers: ["ETag": "\"\(tag)\""])
    }

    private var patches: [URLRequest] { network.requests.filter { $0.httpMethod == "PATCH" } }

    private func text(of request: URLRequest?) -> String? {
        request?.httpBody.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("show that an account is followed, and count the follower, before the server knows")
    func follow() async throws {
        network.answer(.get, "/users/ada", with: .json(#"{"login": "ada", "type": "User", "followers": 3}"#))
        network.answer(.get, "/user/following/ada", with: .json("{}", status: 404))
        network.answer(.put, "/user/following/ada", with: .response(204))
        try await api.account("ada").get(.always)
        try await api.following("ada").get(.always)
        let change = api.setFollowed(true, "ada")
        #expect(api.following("ada").content == true)
        #expect(api.account("ada").content?.followers == 4)
        await change.request.completion()
        #expect(api.following("ada").content == true)
        #expect(!api.following("ada").resource.isOptimistic)
        #expect(!api.account("ada").resource.isUpToDate)
    }

    @Test("of descriptions name the version that the user has seen")
    func condition() async throws {
        network.answer(.get, Self.address, with: version("1", "Old"))
        network.answer(.patch, Self.address, with: version("2", "New"))
        try await api.repository(Fixture.id).get(.always)
        await api.setDescription("New", of: Fixture.id).request.completion()
        #expect(patches.first?.value(forHTTPHeaderField: "If-Match") == "\"1\"")
        #expect(text(of: patches.first) == #"{"description":"New"}"#)
        #expect(api.repository(Fixture.id).content?.description == "New")
    }

    @Test(
        "are a question if somebody else has changed the description",
        arguments: [
            (GitHubAPI.DescriptionConflict.Answer.mine, "Mine"), (.theirs, nil), (.merged("Both"), "Both"),
        ] as [(GitHubAPI.DescriptionConflict.Answer, String?)])
    func conflict(answer: GitHubAPI.DescriptionConflict.Answer, sent: String?) async throws {
        network.answer(.get, Self.address, with: version("1", "Old"), version("2", "Theirs"))
        network.answer(.patch, Self.address, with: .response(412), version("3", sent ?? ""))
        try await api.repository(Fixture.id).get(.always)
        var asked: [GitHubAPI.DescriptionConflict] = []
        api.onConflict = {
            asked.append($0)
            return answer
        }
        await api.setDescription("Mine", of: Fixture.id).request.completion()
        await api.outbox?.settled()
        #expect(asked == [.init(id: Fixture.id, mine: "Mine", theirs: "Theirs")])
        #expect(patches.dropFirst().map { text(of: $0) } == (sent.map { ["{\"description\":\"\($0)\"}"] } ?? []))
        #expect(patches.dropFirst().allSatisfy { $0.value(forHTTPHeaderField: "If-Match") == "\"2\"" })
        #expect(api.repository(Fixture.id).content?.description == sent ?? "Theirs")
        #expect(api.changes.isEmpty)
    }

    @Test("are no question if only something else has changed")
    func otherField() async throws {
        network.answer(.get, Self.address, with: version("1", "Old"), version("2", "Old", stars: 8))
        network.answer(.patch, Self.address, with: .response(412), version("3", "Mine", stars: 8))
        try await api.repository(Fixture.id).get(.always)
        api.onConflict = { _ in
            Issue.record("The user is asked")
            return .theirs
        }
        await api.setDescription("Mine", of: Fixture.id).request.completion()
        #expect(api.repository(Fixture.id).content?.description == "Mine")
        #expect(api.repository(Fixture.id).content?.stargazersCount == 8)
    }

    @Test("that are refused can be sent again, and given up")
    func decisions() async throws {
        network.answer(.get, Self.address, with: version("1", "Old"))
        network.answer(.patch, Self.address, with: .json("{}", status: 422))
        try await api.repository(Fixture.id).get(.always)
        await api.setDescription("Mine", of: Fixture.id).request.completion()
        let model = ChangesModel(api: api)
        model.retry(try #require(model.entries.first))
        while patches.count < 2 { await Task.yield() }
        await api.outbox?.settled()
        #expect(model.entries.map(\.state.needsDecision) == [true])
        #expect(api.repository(Fixture.id).content?.description == "Mine")
        model.drop(try #require(model.entries.first))
        while api.repository(Fixture.id).resource.isOptimistic { await Task.yield() }
        #expect(model.entries.isEmpty)
        #expect(api.repository(Fixture.id).content?.description == "Old")
    }
}
