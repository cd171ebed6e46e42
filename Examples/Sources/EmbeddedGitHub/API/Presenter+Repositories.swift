extension Presenter {
    /// The form of `/repos/{owner}/{repo}` and of the elements of lists.
    func repository(_ repository: Repository, stars: Int, description: String?) -> JSON {
        addresses(of: repository, description)
            .merging(history(of: repository))
            .merging(figures(of: repository, stars: stars))
            .merging(settings(of: repository))
    }

    private func addresses(of repository: Repository, _ description: String?) -> JSON {
        let url = "\(base)/repos/\(repository.fullName)"
        let page = "https://github.example/\(repository.fullName)"
        return [
            "id": .integer(repository.id),
            "node_id": .string("R_\(repository.id)"),
            "name": .string(repository.name),
            "full_name": .string(repository.fullName),
            "private": .bool(false),
            "owner": summary(repository.owner),
            "html_url": .string(page),
            "description": .text(description),
            "fork": .bool(repository.isFork),
            "url": .string(url),
            "contributors_url": .string("\(url)/contributors"),
            "languages_url": .string("\(url)/languages"),
            "stargazers_url": .string("\(url)/stargazers"),
            "clone_url": .string("\(page).git"),
            "ssh_url": .string("git@github.example:\(repository.fullName).git"),
            "homepage": .text(repository.homepage),
        ]
    }

    private func history(of repository: Repository) -> JSON {
        [
            "created_at": .string(repository.created.iso8601),
            "updated_at": .string(repository.updated.iso8601),
            "pushed_at": .string(repository.pushed.iso8601),
        ]
    }

    private func figures(of repository: Repository, stars: Int) -> JSON {
        [
            "size": .integer(repository.size),
            "stargazers_count": .integer(stars),
            "watchers_count": .integer(stars),
            "forks_count": .integer(repository.forks),
            "open_issues_count": .integer(repository.openIssues),
            "forks": .integer(repository.forks),
            "open_issues": .integer(repository.openIssues),
            "watchers": .integer(stars),
        ]
    }

    private func settings(of repository: Repository) -> JSON {
        [
            "language": .text(repository.language),
            "has_issues": .bool(true),
            "has_wiki": .bool(!repository.isFork),
            "has_pages": .bool(repository.homepage != nil),
            "archived": .bool(repository.isArchived),
            "disabled": .bool(false),
            "license": repository.license.map(license) ?? .null,
            "allow_forking": .bool(true),
            "is_template": .bool(false),
            "topics": .array(repository.topics.map(JSON.string)),
            "visibility": .string("public"),
            "default_branch": .string(repository.defaultBranch),
        ]
    }

    private func license(_ license: License) -> JSON {
        [
            "key": .string(license.rawValue.lowercased()),
            "name": .string(license.name),
            "spdx_id": .string(license.rawValue),
            "url": .string("\(base)/licenses/\(license.rawValue.lowercased())"),
            "node_id": .string("L_\(license.rawValue)"),
        ]
    }
}
