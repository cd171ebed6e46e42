import SiestaCore

extension OutboxRules {
    /// The later entries of the same scope that change the same version of the same resource, and were not sent yet. Takes
    /// time proportional to the entries of the scope.
    ///
    /// When the entry is confirmed, the version that it has made is the version on which they are based.
    func followers(of id: String) -> [String] {
        guard let entry = self[id] else { return [] }
        return entries(inScopeOf: entry).filter { other in
            other.id != id && other.state == .queued && other.attempts == 0
                && other.request.address == entry.request.address
                && other.request.precondition == entry.request.precondition
                && other.request.precondition != .unconditional
        }.map(\.id)
    }
}
