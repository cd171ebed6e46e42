import Foundation

/// A list like that of a big public API: objects with many members, most of them texts.
enum RepositoryList {
    /// Returns the JSON of so many repositories, of 4.4 KB each.
    static func json(_ count: Int) -> Data {
        Data(("[" + (0..<count).map(repository).joined(separator: ",") + "]").utf8)
    }

    /// Returns the JSON of one small object, of about 1 KB.
    static func object() -> Data {
        Data("{\(members(1296269, "hello-world"))}".utf8)
    }

    private static let links = [
        "archive", "assignees", "blobs", "branches", "collaborators", "comments", "commits", "compare", "contents",
        "contributors", "deployments", "downloads", "events", "forks", "git_commits", "git_refs", "git_tags", "hooks",
        "issue_comment", "issue_events", "issues", "keys", "labels", "languages", "merges", "milestones",
        "notifications",
        "pulls", "releases", "stargazers", "statuses", "subscribers", "subscription", "tags", "teams", "trees",
    ]

    private static func repository(_ number: Int) -> String {
        let name = "project-\(number)"
        let urls = links.map { #""\#($0)_url":"https://api.example.com/repos/octocat/\#(name)/\#($0){/sha}""# }
        return "{" + members(1_296_269 + number, name) + "," + urls.joined(separator: ",") + "}"
    }

    private static func members(_ id: Int, _ name: String) -> String {
        """
        "id":\(id),"node_id":"MDEwOlJlcG9zaXRvcnkxMjk2MjY5","name":"\(name)","full_name":"octocat/\(name)",\
        "private":false,"owner":{"login":"octocat","id":1,"node_id":"MDQ6VXNlcjE=",\
        "avatar_url":"https://images.example.com/octocat.gif","html_url":"https://example.com/octocat","type":"User",\
        "site_admin":false},"html_url":"https://example.com/octocat/\(name)",\
        "description":"The first repository – with “quotes” and a line\\nbreak","fork":false,"homepage":null,\
        "language":"Swift","forks_count":9,"stargazers_count":\(80 + id % 1000),"watchers_count":80,"size":108,\
        "default_branch":"main","open_issues_count":0,"topics":["http","rest","client","swift"],"has_issues":true,\
        "has_projects":true,"has_wiki":false,"has_pages":false,"archived":false,"disabled":false,\
        "visibility":"public","pushed_at":"2011-01-26T19:06:43Z","created_at":"2011-01-26T19:01:12Z",\
        "updated_at":"2011-01-26T19:14:43Z","score":1.5,"license":{"key":"mit","name":"MIT License","spdx_id":"MIT"}
        """
    }
}

/// A repository whose names are those of the JSON.
struct Repository: Codable, Sendable {
    struct Owner: Codable, Sendable {
        let login: String
        let id: Int
        let avatar_url: String
        let site_admin: Bool
    }

    struct License: Codable, Sendable {
        let key: String
        let name: String
    }

    let id: Int
    let node_id: String
    let name: String
    let full_name: String
    let owner: Owner
    let html_url: String
    let description: String?
    let fork: Bool
    let homepage: String?
    let language: String?
    let forks_count: Int
    let stargazers_count: Int
    let size: Int
    let default_branch: String
    let topics: [String]
    let archived: Bool
    let created_at: String
    let updated_at: String
    let score: Double
    let license: License?
}

/// A repository whose names are converted from those of the JSON.
struct ConvertedRepository: Decodable, Sendable {
    struct Owner: Decodable, Sendable {
        let login: String
        let id: Int
        let avatarUrl: String
        let siteAdmin: Bool
    }

    let id: Int
    let nodeId: String
    let name: String
    let fullName: String
    let owner: Owner
    let htmlUrl: String
    let description: String?
    let fork: Bool
    let language: String?
    let forksCount: Int
    let stargazersCount: Int
    let defaultBranch: String
    let topics: [String]
    let archived: Bool
    let createdAt: String
    let score: Double
}

/// A type that no repository fits.
struct MisreadRepository: Decodable, Sendable {
    let id: Int
    let name: String
    let license: [Int]
}
