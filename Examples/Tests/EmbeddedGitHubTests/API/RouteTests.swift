import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("A route follows from method and path", .timeLimit(.test))
struct RouteTests {
    private static let readOnly = Route.wrongMethod(allowed: ["GET", "HEAD"])
    private static let starring = Route.wrongMethod(allowed: ["GET", "HEAD", "PUT", "DELETE"])

    @Test(
        "to the endpoint, to a refusal, or nowhere",
        arguments: [
            ("GET", "search/users", .endpoint(.searchUsers, [])),
            ("HEAD", "users/a", .endpoint(.user, ["a"])),
            ("GET", "users/a/repos", .endpoint(.userRepositories, ["a"])),
            ("GET", "orgs/a", .endpoint(.organisation, ["a"])),
            ("GET", "orgs/a/repos", .endpoint(.organisationRepositories, ["a"])),
            ("GET", "repos/a/b", .endpoint(.repository, ["a", "b"])),
            ("GET", "repos/a/b/languages", .endpoint(.languages, ["a", "b"])),
            ("GET", "repos/a/b/contributors", .endpoint(.contributors, ["a", "b"])),
            ("GET", "repos/a/b/stars", .endpoint(.stars, ["a", "b"])),
            ("GET", "events", .endpoint(.events, [])), ("GET", "events/stream", .endpoint(.eventStream, [])),
            ("HEAD", "events/stream", .wrongMethod(allowed: ["GET"])),
            ("GET", "user", .endpoint(.me, [])),
            ("GET", "user/repos", .endpoint(.myRepositories, [])),
            ("GET", "user/starred", .endpoint(.myStars, [])),
            ("GET", "user/starred/a/b", .endpoint(.star, ["a", "b"])),
            ("PUT", "user/starred/a/b", .endpoint(.star, ["a", "b"])),
            ("DELETE", "user/starred/a/b", .endpoint(.star, ["a", "b"])),
            ("GET", "rate_limit", .endpoint(.rateLimit, [])), ("GET", "avatars/a", .endpoint(.avatar, ["a"])),
            ("POST", "users/a", readOnly), ("get", "user", readOnly), ("PATCH", "user/starred/a/b", starring),
            ("GET", "", .nowhere), ("GET", "users", .nowhere), ("GET", "users/", .nowhere),
            ("GET", "Users/a", .nowhere),
            ("GET", "repos/a", .nowhere), ("GET", "repos/a/b/", .nowhere), ("GET", "repos//b", .nowhere),
            ("GET", "repos/a/b/c/d", .nowhere),
        ] as [(String, String, Route)])
    func table(method: String, path: String, route: Route) {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        #expect(Route(method: method, segments: path.isEmpty ? [] : segments) == route)
    }
}
