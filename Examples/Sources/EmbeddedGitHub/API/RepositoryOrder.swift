/// The orders in which a list of repositories can be asked for; the raw value is the one of `sort`.
enum RepositoryOrder: String, Sendable, CaseIterable {
    case created, updated, pushed
    case fullName = "full_name"

    /// Sorts by `sort` and `direction`; anything unknown counts as absent.
    ///
    /// Names ascend and dates descend unless `direction` says otherwise; equal dates are ordered by id, so that every
    /// element is on exactly one page.
    static func sort(_ repositories: [Repository], by query: Query, otherwise: RepositoryOrder) -> [Repository] {
        let order = query["sort"].flatMap(RepositoryOrder.init) ?? otherwise
        let ascends = query["direction"].map { $0 == "asc" } ?? (order == .fullName)
        let sorted = repositories.sorted { order.isAscending($0, $1) }
        return ascends ? sorted : sorted.reversed()
    }

    private func isAscending(_ left: Repository, _ right: Repository) -> Bool {
        switch self {
        case .created: (left.created, left.id) < (right.created, right.id)
        case .updated: (left.updated, left.id) < (right.updated, right.id)
        case .pushed: (left.pushed, left.id) < (right.pushed, right.id)
        case .fullName: left.fullName.lowercased() < right.fullName.lowercased()
        }
    }
}
