/// The rules that decide which state is shown for some resources, without side effects.
///
///     let rules = StatusRules(priority: .dataFirst)
///     let decision = rules.decide([StatusRules.Item(hasData: true, hasError: true)])
///     // decision.cover == .none, decision.subject == .failure(of: 0): a banner over the data
///
/// ``StatusWords`` adds the texts. ``StatusOverlayModel`` adds the times.
package struct StatusRules: Sendable, Equatable {
    /// The state of one resource.
    package struct Item: Sendable, Equatable {
        /// True if the resource has data.
        package var hasData: Bool
        /// True if a load of the resource is running or waiting.
        package var isLoading: Bool
        /// True if the last load of the resource failed.
        package var hasError: Bool
        /// True if a request of the resource waits for its next attempt, or for the network.
        package var isWaiting: Bool
        /// The kind of the line about live updates; nil without a source of live updates, and before its first
        /// connection.
        package var live: LiveLine.Kind?

        /// Creates a state. By default, the resource has no data, no error, no load and no source of live updates.
        package init(
            hasData: Bool = false, isLoading: Bool = false, hasError: Bool = false, isWaiting: Bool = false,
            live: LiveLine.Kind? = nil
        ) {
            (self.hasData, self.isLoading, self.hasError) = (hasData, isLoading, hasError)
            (self.isWaiting, self.live) = (isWaiting, live)
        }
    }

    package typealias Cover = StatusDisplay.Cover

    /// The subject of the message that is shown.
    package enum Subject: Sendable, Equatable {
        /// The error of a resource, by its position.
        case failure(of: Int)
        /// The wait of a resource, by its position.
        case wait(of: Int)
    }

    /// The result of the rules.
    package struct Decision: Sendable, Equatable {
        /// The part of the screen that is covered.
        package var cover: Cover
        /// The subject of the message on the cover, or of the banner if there is no cover. Nil if there is no message.
        package var subject: Subject?
        /// The kind of the line about live updates; nil if there is no line.
        package var live: LiveLine.Kind?

        /// Creates a result.
        package init(cover: Cover, subject: Subject? = nil, live: LiveLine.Kind? = nil) {
            (self.cover, self.subject, self.live) = (cover, subject, live)
        }
    }

    /// The rules, in the order of their priority. A repeated rule has no effect.
    package var priority: [StateRule]

    /// Creates the rules with a priority.
    package init(priority: [StateRule] = .standard) {
        self.priority = priority
    }

    /// Returns the state to show, in time proportional to the number of items.
    ///
    /// - A cover for a failure shows the error of the first item that has an error.
    /// - A cover for a load shows the wait of the first item that waits, if any.
    /// - Without a cover, the banner shows the first wait. If there is no wait, the banner shows the first error.
    /// - A banner for an error requires the rule ``StateRule/error``. A banner for a wait requires ``StateRule/error``
    ///   or ``StateRule/loading``.
    /// - Without a cover, a line is shown if any item is live or has lost its connection. A lost connection takes
    ///   precedence.
    ///
    /// - Parameters:
    ///   - items: The states of the resources, in the order in which they were added.
    ///   - hasManualLoad: True if a load that a person asked for is running.
    package func decide(_ items: [Item], hasManualLoad: Bool = false) -> Decision {
        var tally = StatusTally()
        for (number, item) in items.enumerated() { tally.replace(nil, by: item, at: number) }
        return decide(tally, hasManualLoad: hasManualLoad)
    }

    /// Returns the state to show, in constant time.
    func decide(_ tally: StatusTally, hasManualLoad: Bool) -> Decision {
        let cover = cover(tally, hasManualLoad)
        let (wait, failure) = (tally.firstWait.map(Subject.wait), tally.firstFailure.map(Subject.failure))
        switch cover {
        case .failure: return Decision(cover: cover, subject: failure)
        case .loading: return Decision(cover: cover, subject: wait)
        case .none:
            let shownWait = priority.contains { $0 == .error || $0 == .loading } ? wait : nil
            let subject = shownWait ?? (priority.contains(.error) ? failure : nil)
            return Decision(cover: cover, subject: subject, live: tally.live)
        }
    }

    private func cover(_ tally: StatusTally, _ hasManualLoad: Bool) -> Cover {
        for rule in priority {
            switch rule {
            case .loading where tally.loadingCount > 0: return .loading
            case .manualLoading where hasManualLoad: return .loading
            case .anyData where tally.dataCount > 0: return .none
            case .allData where tally.count > 0 && tally.dataCount == tally.count: return .none
            case .error where tally.firstFailure != nil: return .failure
            default: continue
            }
        }
        return .none
    }
}
