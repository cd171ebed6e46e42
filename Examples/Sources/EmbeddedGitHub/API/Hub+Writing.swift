import Foundation

extension Hub {
    /// The most characters that a description may have.
    private static let longestDescription = 350

    /// Carries out a write once for each `Idempotency-Key` of a user. A repeated key gets the response of the first request.
    mutating func write(
        _ request: HTTPRequest, _ endpoint: Endpoint, _ names: [String], by login: String, at now: Moment
    ) -> HTTPResponse {
        let key = request.headers["Idempotency-Key"].map { "\(login) \($0)" }
        if let key, let known = ledger.response(for: key) { return known }
        let response = carryOut(request, endpoint, names, by: login, at: now)
        let write = EmbeddedGitHub.AppliedWrite(
            method: request.method, target: request.target.raw, login: login,
            body: String(decoding: request.body, as: UTF8.self))
        if response.status < 300 { ledger.note(write, key, response) }
        return response
    }

    private mutating func carryOut(
        _ request: HTTPRequest, _ endpoint: Endpoint, _ names: [String], by login: String, at now: Moment
    ) -> HTTPResponse {
        switch endpoint {
        case .star:
            guard case .success(let repository) = repository(names) else { break }
            star(repository, request.method == "PUT", by: login, at: now)
            return HTTPResponse(204)
        case .following:
            guard case .success(let account) = account(names[0], nil) else { break }
            follow(account, request.method == "PUT", by: login)
            return HTTPResponse(204)
        case .repository:
            guard case .success(let repository) = repository(names) else { break }
            return update(repository, request, by: login, at: now)
        default: break
        }
        return Problem.notFound.response
    }

    private mutating func star(_ repository: Repository, _ isStarred: Bool, by login: String, at now: Moment) {
        guard starred[login, default: []].contains(repository.id) != isStarred else { return }
        if isStarred {
            starred[login, default: []].insert(repository.id, at: 0)
        } else {
            starred[login]?.removeAll { $0 == repository.id }
        }
        touch(repository, at: now)
        feed.note(
            isStarred ? .starred : .unstarred, by: login, of: repository.fullName, stars: stars(of: repository))
    }

    private mutating func follow(_ account: Account, _ isFollowed: Bool, by login: String) {
        guard followed[login, default: []].contains(account.login) != isFollowed else { return }
        if isFollowed {
            followed[login, default: []].insert(account.login)
        } else {
            followed[login]?.remove(account.login)
        }
        feed.note(isFollowed ? .followed : .unfollowed, by: login, of: account.login)
    }

    /// Changes the description of a repository, if the client has seen the current version.
    private mutating func update(
        _ repository: Repository, _ request: HTTPRequest, by login: String, at now: Moment
    ) -> HTTPResponse {
        guard Precondition.permitsWrite(request.headers, of: EntityTag(of: single(repository).body)) else {
            return Problem.outdated.response
        }
        guard let update = try? JSONDecoder().decode(RepositoryUpdate.self, from: Data(request.body)) else {
            return Problem.unparsable.response
        }
        guard update.description.count <= Self.longestDescription else { return Problem.invalidDescription.response }
        descriptions[repository.id] = update.description
        touch(repository, at: now)
        feed.note(.described, by: login, of: repository.fullName, stars: stars(of: repository))
        var unconditional = request
        for name in ["If-None-Match", "If-Modified-Since"] { unconditional.headers[name] = nil }
        return single(repository).response(to: unconditional)
    }

    private mutating func touch(_ repository: Repository, at now: Moment) {
        touched[repository.id] = max(now, modified(repository).adding(seconds: 1))
    }
}

/// The body of a PATCH of a repository.
private struct RepositoryUpdate: Decodable {
    let description: String
}
