import EmbeddedGitHub
import Foundation
import Testing

extension OverSockets {
    @Suite("Every endpoint answers in the shape of the real service")
    struct EndpointTests {
        private let server: EmbeddedGitHub

        init() throws {
            server = try EmbeddedGitHub()
        }

        @Test("users and organisations")
        func accounts() throws {
            let user = try server.fetch("/users/MIRA-sato")
            #expect(user.status == 200)
            #expect(user.object["login"] as? String == "mira-sato")
            #expect(user.object["name"] as? String == "Mira Satō")
            #expect(user.object["type"] as? String == "User")
            #expect(user.object["public_repos"] as? Int == 41)
            #expect(user.object["url"] as? String == server.baseURL.absoluteString + "users/mira-sato")
            let organisation = try server.fetch("/orgs/yuzu-kobo").object
            #expect(organisation["name"] as? String == "柚子工房")
            #expect(organisation["description"] as? String == "小さくて丁寧な道具を作っています。")
            #expect(try server.fetch("/users/yuzu-kobo").object["type"] as? String == "Organization")
            #expect(try server.fetch("/users/old-rope").object["name"] is NSNull)
        }

        @Test("a repository")
        func repository() throws {
            let repository = try server.fetch("/repos/lanternworks/harbor").object
            #expect(repository["full_name"] as? String == "lanternworks/harbor")
            #expect(repository["stargazers_count"] as? Int == 18_403)
            #expect(repository["language"] as? String == "Swift")
            #expect(repository["topics"] as? [String] == ["supervisor", "linux", "daemon", "swift"])
            #expect((repository["owner"] as? [String: Any])?["login"] as? String == "lanternworks")
            #expect(repository["visibility"] as? String == "public")
            for name in ["created_at", "updated_at", "pushed_at"] {
                let date = try #require(repository[name] as? String)
                #expect(ISO8601DateFormatter().date(from: date) != nil)
            }
            for name in ["forks_count", "open_issues_count", "id", "html_url", "default_branch", "license"] {
                #expect(repository[name] != nil, "\(name)")
            }
        }

        @Test("a repository whose name is not ASCII")
        func escapedName() throws {
            let path = try #require(
                "/repos/li-wenqing/茶馆".addingPercentEncoding(withAllowedCharacters: .urlPathAllowed))
            #expect(try server.fetch(path).object["name"] as? String == "茶馆")
        }

        @Test("a description that no terminal should print")
        func trap() throws {
            let description = try server.fetch("/repos/brass-otter/terminal-trap").object["description"] as? String
            #expect(description?.unicodeScalars.contains("\u{1B}") == true)
            #expect(description?.unicodeScalars.contains("\u{9B}") == true)
        }

        @Test("languages and contributors")
        func details() throws {
            let languages = try server.fetch("/repos/yuzu-kobo/kissa/languages").object
            #expect((languages["Swift"] as? Int ?? 0) > 0)
            #expect(try server.fetch("/repos/lanternworks/handbook/languages").object.isEmpty)
            let contributors = try server.fetch("/repos/lanternworks/harbor/contributors?per_page=5")
            #expect(contributors.list.count == 5)
            #expect(contributors.list.allSatisfy { $0["login"] is String && $0["contributions"] is Int })
            #expect(contributors.link("next", of: server.baseURL) != nil)
        }

        @Test("the search for users")
        func search() throws {
            let found = try server.fetch("/search/users?q=O&per_page=3&page=2")
            #expect(found.object["incomplete_results"] as? Bool == false)
            #expect((found.object["total_count"] as? Int ?? 0) > 6)
            let items = try #require(found.object["items"] as? [[String: Any]])
            #expect(items.count == 3)
            #expect(items.allSatisfy { $0["login"] is String && $0["avatar_url"] is String })
            #expect(found.link("next", of: server.baseURL) == "/search/users?q=O&per_page=3&page=3")
        }

        @Test("the search without a text", arguments: ["", "?q=", "?q=%20", "?per_page=3"])
        func emptySearch(query: String) throws {
            let reply = try server.fetch("/search/users" + query)
            #expect(reply.status == 422)
            #expect(reply.message == "Validation Failed")
            let errors = try #require(reply.object["errors"] as? [[String: String]])
            #expect(errors == [["resource": "Search", "field": "q", "code": "missing"]])
        }

        @Test("the signed-in user, and what is hers")
        func me() throws {
            let authorised = EmbeddedGitHub.authorised
            #expect(try server.fetch("/user", authorised).object["login"] as? String == EmbeddedGitHub.login)
            let repositories = try server.fetch("/user/repos?per_page=100", authorised).list
            #expect(repositories.count == 41)
            #expect(repositories.contains { $0["name"] as? String == "hotaru" })
            let starred = try server.fetch("/user/starred?per_page=2", authorised)
            #expect(starred.list.map { $0["full_name"] as? String } == ["lanternworks/harbor", "yuzu-kobo/kissa"])
            #expect(starred.link("last", of: server.baseURL) == "/user/starred?per_page=2&page=4")
        }

        @Test("the rate limit, without spending any")
        func rateLimit() throws {
            _ = try server.fetch("/users/mira-sato")
            for _ in 0..<2 {
                let reply = try server.fetch("/rate_limit")
                let rate = try #require(reply.object["rate"] as? [String: Int])
                #expect(rate["limit"] == 60)
                #expect(rate["remaining"] == 59)
                #expect(reply.headers["x-ratelimit-remaining"] == "59")
            }
            let authorised = try server.fetch("/rate_limit", EmbeddedGitHub.authorised)
            #expect(authorised.headers["x-ratelimit-limit"] == "5000")
        }

        @Test(
            "refusals",
            arguments: [
                ("GET", "/nothing/here", 404, "Not Found"), ("GET", "/users/nobody", 404, "Not Found"),
                ("GET", "/orgs/mira-sato", 404, "Not Found"), ("GET", "/repos/mira-sato/nothing", 404, "Not Found"),
                ("GET", "/users/nobody/repos", 404, "Not Found"), ("GET", "/", 404, "Not Found"),
                ("GET", "/user", 401, "Requires authentication"),
                ("GET", "/user/repos", 401, "Requires authentication"),
                ("GET", "/user/starred", 401, "Requires authentication"),
                ("PUT", "/user/starred/lanternworks/wick", 401, "Requires authentication"),
                ("POST", "/users/mira-sato", 405, "Method Not Allowed"),
                ("PATCH", "/user/starred/lanternworks/wick", 405, "Method Not Allowed"),
            ])
        func refusals(method: String, target: String, status: Int, message: String) throws {
            let reply = try server.fetch(method, target)
            #expect(reply.status == status)
            #expect(reply.message == message)
            #expect(reply.object["status"] as? String == String(status))
            #expect(reply.object["documentation_url"] is String)
            #expect((reply.headers["allow"] != nil) == (status == 405))
            #expect(reply.headers["x-ratelimit-limit"] == "60")
        }

        @Test(
            "a wrong token everywhere",
            arguments: ["/users/mira-sato", "/user", "/search/users?q=a", "/nothing", "/rate_limit"])
        func badCredentials(target: String) throws {
            let reply = try server.fetch(target, ["Authorization": "token wrong"])
            #expect(reply.status == 401)
            #expect(reply.message == "Bad credentials")
        }
    }
}

extension EmbeddedGitHub {
    fileprivate func fetch(_ target: String, _ headers: [String: String] = [:]) throws -> Reply {
        try fetch("GET", target, headers)
    }
}
