/// Writes accounts in the JSON shapes of the API.
struct Presenter: Sendable {
    /// The address of the server, without a slash at the end; `url` fields begin with it.
    let base: String

    /// The short form in lists and in `owner`.
    func summary(_ account: Account) -> JSON {
        let url = "\(base)/users/\(account.login)"
        return [
            "login": .string(account.login),
            "id": .integer(account.id),
            "node_id": .string("U_\(account.id)"),
            "avatar_url": .string("\(base)/avatars/\(account.login)?v=4"),
            "gravatar_id": .string(""),
            "url": .string(url),
            "html_url": .string("https://github.example/\(account.login)"),
            "followers_url": .string("\(url)/followers"),
            "organizations_url": .string("\(url)/orgs"),
            "repos_url": .string("\(url)/repos"),
            "type": .string(account.kind == .organisation ? "Organization" : "User"),
            "user_view_type": .string("public"),
            "site_admin": .bool(false),
        ]
    }

    /// The long form of `/users/{login}`.
    func profile(_ account: Account, repositories: Int, followers: Int) -> JSON {
        summary(account).merging([
            "name": .text(account.name),
            "company": .text(account.company),
            "blog": .string(account.blog ?? ""),
            "location": .text(account.location),
            "email": .null,
            "hireable": .null,
            "bio": .text(account.bio),
            "twitter_username": .null,
            "public_repos": .integer(repositories),
            "public_gists": .integer(account.following / 3),
            "followers": .integer(followers),
            "following": .integer(account.following),
            "created_at": .string(account.created.iso8601),
            "updated_at": .string(account.updated.iso8601),
        ])
    }

    /// The form of `/orgs/{org}`.
    func organisation(_ account: Account, repositories: Int, followers: Int) -> JSON {
        let url = "\(base)/orgs/\(account.login)"
        return [
            "login": .string(account.login),
            "id": .integer(account.id),
            "node_id": .string("O_\(account.id)"),
            "url": .string(url),
            "repos_url": .string("\(url)/repos"),
            "members_url": .string("\(url)/members{/member}"),
            "avatar_url": .string("\(base)/avatars/\(account.login)?v=4"),
            "description": .text(account.bio),
            "name": .text(account.name),
            "company": .text(account.company),
            "blog": .string(account.blog ?? ""),
            "location": .text(account.location),
            "email": .null,
            "is_verified": .bool(false),
            "has_organization_projects": .bool(true),
            "has_repository_projects": .bool(true),
            "public_repos": .integer(repositories),
            "public_gists": .integer(0),
            "followers": .integer(followers),
            "following": .integer(0),
            "html_url": .string("https://github.example/\(account.login)"),
            "created_at": .string(account.created.iso8601),
            "updated_at": .string(account.updated.iso8601),
            "archived_at": .null,
            "type": .string("Organization"),
        ]
    }

    /// One line of `/repos/{owner}/{repo}/contributors`.
    func contributor(_ contributor: Repository.Contributor) -> JSON {
        summary(contributor.account).merging(["contributions": .integer(contributor.contributions)])
    }

    /// The answer of `/search/users`.
    func results(_ accounts: some Collection<Account>, of total: Int) -> JSON {
        [
            "total_count": .integer(total),
            "incomplete_results": .bool(false),
            "items": .array(accounts.map { summary($0).merging(["score": .integer(1)]) }),
        ]
    }
}
