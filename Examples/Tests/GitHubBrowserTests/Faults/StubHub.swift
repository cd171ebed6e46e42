import Foundation
import SiestaTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A server in memory. Each of its texts names the resource that it belongs to.
@MainActor
final class StubHub {
    static let logins = ["ada", "bob", "cleo"]

    let network = StubNetwork()
    /// The starred repositories, as paths such as `/ada/ada-r1`.
    private(set) var stars: Set<String> = []

    init() {
        network.handler = { [unowned self] request in answer(request) }
    }

    /// The names of the repositories of an account.
    static func repositories(of login: String) -> [String] { (0..<3).map { "\(login)-r\($0)" } }

    /// The number of contributions to a repository, which no other repository has.
    static func contributions(to name: String) -> Int {
        500 + (logins.flatMap(repositories).firstIndex(of: name) ?? 99)
    }

    private func answer(_ request: URLRequest) -> StubAnswer? {
        guard let url = request.url else { return nil }
        let parts = url.path.split(separator: "/").map(String.init)
        return switch (parts.first, parts.count) {
        case ("login", _): authorization(url)
        case ("users", 2): .json(#"{"login": "\#(parts[1])", "type": "Organization", "name": "Name of \#(parts[1])"}"#)
        case ("users", 3): list(of: parts[1])
        case ("repos", 3): .json(repository(parts[1], parts[2]))
        case ("repos", 4) where parts[3] == "languages": .json(#"{"L-\#(parts[2])": 1}"#)
        case ("repos", 4): contributors(to: parts[2], of: parts[1])
        case ("user", 4): star("/\(parts[2])/\(parts[3])", request.httpMethod ?? "GET")
        case ("user", 3): .response(404)
        default: nil
        }
    }

    private func authorization(_ url: URL) -> StubAnswer {
        guard url.lastPathComponent == "authorize" else {
            return .json(#"{"access_token": "token", "token_type": "bearer", "expires_in": 1000000}"#)
        }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let state = items.first { $0.name == "state" }?.value ?? ""
        return .response(302, headers: ["Location": "github-browser://signed-in?code=code&state=\(state)"])
    }

    private func star(_ path: String, _ method: String) -> StubAnswer {
        switch method {
        case "PUT": stars.insert(path)
        case "DELETE": stars.remove(path)
        default: return .response(stars.contains(path) ? 204 : 404)
        }
        return .response(204)
    }

    /// The only contributor is the next account.
    private func contributors(to name: String, of owner: String) -> StubAnswer {
        let next = ((Self.logins.firstIndex(of: owner) ?? 0) + 1) % Self.logins.count
        return .json(#"[{"login": "\#(Self.logins[next])", "contributions": \#(Self.contributions(to: name))}]"#)
    }

    private func list(of login: String) -> StubAnswer {
        .json("[" + Self.repositories(of: login).map { repository(login, $0) }.joined(separator: ",") + "]")
    }

    private func repository(_ owner: String, _ name: String) -> String {
        """
        {"name": "\(name)", "owner": {"login": "\(owner)"}, "description": "About \(name)", "default_branch": "main",
         "archived": false, "fork": false, "forks_count": 1, "open_issues_count": 2, "pushed_at": "2001-01-01T00:00:00Z",
         "stargazers_count": \(stars.contains("/\(owner)/\(name)") ? 8 : 7)}
        """
    }
}
