import SiestaCore

/// Where one resource stands in the stream of its updates, and the rules for the next update. Pure.
struct LivePosition: Equatable {
    /// The version of the server's data; nil if it is not known.
    var version: LiveVersion?
    /// True if an update to this version has removed the data.
    var isRemoved = false
    /// True if a DELETE by this client removed the data. An update may be older than the deletion.
    var isDeleted = false
    /// The newest load that had begun when the present series of events began. The response to this load or an earlier one may
    /// lack a change whose event was missed.
    var seriesLoad: Resource.State.LoadNumber = 0

    /// The facts about the state of the resource.
    struct Facts {
        var hasData: Bool
        /// The newest load, or other source, of the data.
        var shownLoad: Resource.State.LoadNumber
        /// True if a load is running whose response the data may become.
        var isLoading: Bool
        /// True if the data was computed here. It is no basis for a patch.
        var isLocal = false
    }

    enum Decision: Equatable {
        /// The update becomes the data.
        case apply
        /// The data has it already.
        case ignore
        /// The running load decides. The update waits.
        case hold
        /// The update cannot be applied. The resource must be loaded.
        case load
    }

    /// True if no event is missing between the data and the present.
    func isCaughtUp(_ facts: Facts) -> Bool { facts.hasData && facts.shownLoad > seriesLoad }

    /// Updates ``isDeleted``. If the data is missing, and neither an update nor a wipe removed it, a DELETE by this
    /// client did.
    mutating func noteDeletion(_ facts: Facts) {
        if facts.hasData { isDeleted = false } else if !isRemoved, facts.shownLoad > seriesLoad { isDeleted = true }
    }

    func decide(_ update: LiveUpdate, _ facts: Facts) -> Decision {
        if let new = update.version, let version, facts.hasData || isRemoved || isDeleted, new.isCovered(by: version) {
            return .ignore
        }
        switch update.change {
        case .replace, .content: return isDeleted ? .load : .apply
        case .remove:
            let isRepeated = update.version == nil && isRemoved && !facts.hasData && !facts.isLoading
            return isRepeated ? .ignore : .apply
        case .invalidate, .reset: return .load
        case .merge, .patch:
            let isBase = update.base.map { $0 == version } ?? isCaughtUp(facts)
            let isApplicable = facts.hasData && !facts.isLocal && isBase
            // A running load may bring the version on which another patch is based.
            if facts.isLoading, update.base == nil || !isApplicable { return .hold }
            return isApplicable ? .apply : .load
        }
    }
}

extension LivePosition {
    /// Returns the updates that a load which has ended leaves to be decided: those after the version that it has brought.
    func rest(of held: [LiveDelivery]) -> [LiveDelivery] {
        guard let version, let last = held.lastIndex(where: { $0.update.version == version }) else { return held }
        return Array(held[(last + 1)...])
    }
}
