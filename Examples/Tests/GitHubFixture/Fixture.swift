import Foundation
package import GitHubClient
import Siesta
package import SiestaTesting

/// An API that talks to a network of the test's own.
@MainActor
package struct Fixture {
    package static let id = Repository.ID(owner: "ada", name: "engine")

    package let network = StubNetwork()
    package let api: GitHubAPI

    package init(token: String? = nil) throws {
        guard let url = URL(string: "https://api.test/") else { throw URLError(.badURL) }
        api = GitHubAPI(baseURL: url, token: token, networking: network)
    }

    /// A repository in GitHub's JSON.
    package static func repository(_ name: String, stars: Int = 7) -> String {
        """
        {"name": "\(name)", "owner": {"login": "ada"}, "description": null, "default_branch": "main", "archived": false,
         "fork": false, "forks_count": 1, "open_issues_count": 2, "stargazers_count": \(stars),
         "license": {"spdx_id": "MIT", "name": "MIT License"}, "pushed_at": "2026-02-03T04:05:06Z"}
        """
    }

    /// A sentence that is fresh for 25 seconds more, and may be used stale for a minute after that.
    package static func zen(_ sentence: String) -> StubAnswer {
        .text(sentence, headers: ["Cache-Control": "max-age=30, stale-while-revalidate=60", "Age": "5"])
    }

    /// A list of repositories with a link to the next page.
    package static func page(_ names: String..., next: String? = nil) -> StubAnswer {
        let link = next.map { ["Link": "<\($0)>; rel=\"next\", <\($0)9>; rel=\"last\""] } ?? [:]
        return .json("[" + names.map { repository($0) }.joined(separator: ",") + "]", headers: link)
    }
}
