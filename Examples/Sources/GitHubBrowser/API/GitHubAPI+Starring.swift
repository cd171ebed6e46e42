import Siesta

extension GitHubAPI {
    /// Stars or unstars a repository: shows the outcome at once, and takes it back if the server refuses.
    ///
    /// Observers of the star and of the repository hear of it through `.newData(.localOverride)`, both times. A cancelled
    /// request may have had its effect or not; then both are asked for anew when somebody next looks.
    @discardableResult
    func setStarred(_ isStarred: Bool, _ id: Repository.ID) -> any Request {
        let (star, repository) = (star(of: id), repository(id))
        let before = (star: star.latestData, repository: repository.latestData)
        star.overrideLocalContent(with: isStarred)
        if var shown: Repository = repository.typedContent() {
            shown.stargazersCount += isStarred ? 1 : -1
            repository.overrideLocalContent(with: shown)
        }
        return star.request(isStarred ? .put : .delete)
            .onSuccess { _ in
                repository.invalidate()
                self.repositories(of: id.owner).invalidate()
            }
            .onFailure { error in
                if error.cause is RequestError.Cause.RequestCancelled {
                    star.invalidate()
                    repository.invalidate()
                } else {
                    star.restore(before.star)
                    repository.restore(before.repository)
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
