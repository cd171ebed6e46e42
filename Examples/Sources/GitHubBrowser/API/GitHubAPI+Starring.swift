import Siesta

extension GitHubAPI {
    /// Stars or unstars a repository: shows the outcome at once, and takes it back if the server refuses.
    ///
    /// Observers of the star and of the repository hear of it through `.newData(.localOverride)`, both times. A cancelled
    /// request may have had its effect or not; then both are asked for anew when somebody next looks.
    @discardableResult
    func setStarred(_ isStarred: Bool, _ id: Repository.ID) -> any Request {
        let (star, repository) = (star(of: id), repository(id))
        let before = (star: star.resource.latestData, repository: repository.resource.latestData)
        star.override(with: isStarred)
        if var shown = repository.content {
            shown.stargazersCount += isStarred ? 1 : -1
            repository.override(with: shown)
        }
        return star.resource.request(isStarred ? .put : .delete)
            .onSuccess { _ in
                repository.resource.invalidate()
                self.repositories(of: id.owner).resource.invalidate()
            }
            .onFailure { error in
                if error.cause is RequestError.Cause.RequestCancelled {
                    star.resource.invalidate()
                    repository.resource.invalidate()
                } else {
                    star.resource.restore(before.star)
                    repository.resource.restore(before.repository)
                }
            }
    }
}

extension Resource {
    /// Puts back what was there before a local change, its age included.
    fileprivate func restore(_ entity: Entity<Any>?) {
        if let entity { overrideLocalData(with: entity) } else { wipe() }
    }
}
