extension Hub {
    /// Finds what a GET of an endpoint asks for.
    ///
    /// - Parameter login: The login of the user; nil if the request is anonymous.
    func resource(
        _ endpoint: Endpoint, _ names: [String], _ target: RequestTarget, for login: String?
    ) -> Result<Resource, Problem> {
        switch endpoint {
        case .searchUsers: search(target)
        case .user: account(names[0], nil).map(profile)
        case .organisation: account(names[0], .organisation).map(organisation)
        case .me: account(login ?? "", .user).map(profile)
        case .userRepositories: account(names[0], nil).map { repositories(of: $0, .fullName, target) }
        case .organisationRepositories:
            account(names[0], .organisation).map { repositories(of: $0, .created, target) }
        case .myRepositories: account(login ?? "", .user).map { repositories(of: $0, .fullName, target) }
        case .myStars: .success(list(starred[login ?? "", default: []].compactMap(catalogue.repository(id:)), target))
        case .repository: repository(names).map(single)
        case .languages: repository(names).map(languages)
        case .contributors: repository(names).map { contributors($0, target) }
        case .stars: repository(names).map { inStep(["count": .integer(stars(of: $0))]) }
        case .events: .success(inStep(feed.json))
        case .star, .following, .rateLimit, .zen, .eventStream, .avatar, .authorize, .accessToken: .failure(.notFound)
        }
    }

    /// Finds the image that an endpoint asks for.
    func image(
        _ names: [String], _ target: RequestTarget, _ faults: [String: EmbeddedGitHub.Behaviour.AvatarFault]
    ) -> Result<Resource, Problem> {
        account(names[0], nil).flatMap { Avatar.resource(of: $0, target.query, fault: faults[$0.login]) }
    }

    // MARK: - Finding

    func account(_ login: String, _ kind: Account.Kind?) -> Result<Account, Problem> {
        guard let account = catalogue.account(login), kind == nil || account.kind == kind else {
            return .failure(.notFound)
        }
        return .success(account)
    }

    func repository(_ names: [String]) -> Result<Repository, Problem> {
        catalogue.repository(names[0], names[1]).map(Result.success) ?? .failure(.notFound)
    }

    // MARK: - Showing

    private func profile(_ account: Account) -> Resource {
        let count = catalogue.repositories(of: account).count
        return Resource(
            json: presenter.profile(account, repositories: count, followers: followers(of: account)),
            modified: account.updated)
    }

    private func organisation(_ account: Account) -> Resource {
        let count = catalogue.repositories(of: account).count
        return Resource(
            json: presenter.organisation(account, repositories: count, followers: followers(of: account)),
            modified: account.updated)
    }

    private func presented(_ repository: Repository) -> JSON {
        presenter.repository(
            repository, stars: stars(of: repository), description: description(of: repository))
    }

    func single(_ repository: Repository) -> Resource {
        Resource(json: presented(repository), modified: modified(repository))
    }

    private func languages(_ repository: Repository) -> Resource {
        let members = repository.languages.map { JSON.Member(name: $0.name, value: .integer($0.bytes)) }
        return Resource(json: .object(members), modified: repository.pushed)
    }

    private func contributors(_ repository: Repository, _ target: RequestTarget) -> Resource {
        paged(catalogue.contributors(to: repository), target, presenter.contributor)
    }

    private func repositories(of owner: Account, _ order: RepositoryOrder, _ target: RequestTarget) -> Resource {
        let all = catalogue.repositories(of: owner)
        return list(RepositoryOrder.sort(all, by: target.query, otherwise: order), target)
    }

    /// Something that a stream keeps in step, with the last event that it contains.
    private func inStep(_ json: JSON) -> Resource {
        var resource = Resource(json: json)
        resource.lastEventID = feed.lastID
        return resource
    }

    private func list(_ repositories: [Repository], _ target: RequestTarget) -> Resource {
        paged(repositories, target) { presented($0) }
    }

    private func search(_ target: RequestTarget) -> Result<Resource, Problem> {
        guard let search = UserSearch(target.query["q"]) else { return .failure(.missingSearchText) }
        let found = search.matches(in: catalogue.everybody)
        let page = Page(target.query)
        let json = presenter.results(page.slice(of: found), of: found.count)
        return .success(Resource(json: json, links: links(page, found.count, target)))
    }

    private func paged<Element>(
        _ elements: [Element], _ target: RequestTarget, _ json: (Element) -> JSON
    ) -> Resource {
        let page = Page(target.query)
        return Resource(
            json: .array(page.slice(of: elements).map(json)), links: links(page, elements.count, target))
    }

    private func links(_ page: Page, _ count: Int, _ target: RequestTarget) -> String? {
        page.links(for: count, at: base + target.path, target.query)
    }
}

extension Problem: Error {}
