package import Siesta

extension GitHubAPI {
    /// Stars or unstars a repository: shows the outcome at once, and takes it back if the server refuses.
    ///
    /// Observers of the star and of the repository hear of it through `.newData(.localOverride)`, both times. A
    /// cancelled request may have had its effect or not; then both are asked for anew when somebody next looks.
    @discardableResult
    package func setStarred(_ isStarred: Bool, _ id: Repository.ID) -> any Request {
        let (star, repository) = (star(of: id), repository(id))
        let before = (star.entity, repository.entity)
        star.content = isStarred
        repository.content?.stargazersCount += isStarred ? 1 : -1
        return star.request(isStarred ? .put : .delete)
            .onFailure { error in
                guard error.isCancellation else { return (star.entity, repository.entity) = before }
                star.invalidate()
                repository.invalidate()
            }
    }
}
