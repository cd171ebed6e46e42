import Foundation
public import SiestaCore

extension Resource {
    /// Returns an explanation of the state of this resource: whether it is up to date, the reason for its last load,
    /// and the effect of the next ``loadIfNeeded()``.
    ///
    ///     print(service.resource("/users/42").explain())
    ///
    /// The call has no side effects, and does not read the caches. To find out which rule changes which option, the
    /// call runs the closures of the matching configuration rules once more. The call takes time proportional to the
    /// number of rules and observers. Use this method in tools and logs.
    public func explain() -> ResourceExplanation {
        MainQueue.checkInDebug("Resource.explain()")
        let now = context.now
        let limits = resolvedConfiguration(for: .get).freshnessLimits
        let freshness = ResourceFreshness(state.freshness, state.data, within: limits, at: now)
        return ResourceExplanation(
            address: address, date: Date(timeIntervalSinceReferenceDate: now.wallTime), freshness: freshness,
            source: state.hasData ? state.source : nil,
            age: state.freshness.dataTime.map { max(0, now.monotonicTime - $0) },
            failure: state.error.map { PreparedText.words($0.userMessage) },
            failureAge: state.error.map { max(0, now.wallTime - $0.timestamp) }, lastLoad: loadReason,
            isLoading: state.isLoading, wait: waitText, next: nextStep(freshness, limits, now), rules: rulesOfLoads,
            caches: cachesOfLoads, observers: observerList?.names ?? [],
            pendingChangeCount: context.extensions.reduce(0) { $0 + $1.pendingChangeCount(of: self) },
            updates: pushStatus?.text(at: now.wallTime))
    }

    private var waitText: String? {
        guard let retry = known(RetryWaits.self)?.last else { return nil }
        let time = retry.date.map {
            " for \(max(0, $0.timeIntervalSinceReferenceDate - context.clock.wallTime).formatted(decimals: 1)) s"
        }
        return "attempt \(retry.attempt)\(time ?? "") (\(retry.reason))"
    }

    private func nextStep(
        _ freshness: ResourceFreshness, _ limits: Freshness.Limits, _ now: State.Moment
    ) -> ResourceExplanation.Next {
        if state.isLoading, currentLoad != nil { return .join }
        if isUpToDateNow {
            if let errorTime = state.freshness.errorTime, state.error != nil {
                // The retry time begins anew when the server confirms the data after the failure.
                let begin = max(errorTime, state.freshness.dataTime ?? errorTime)
                let rest = limits.retryTime - (now.monotonicTime - begin)
                return .hold(seconds: rest.isFinite ? max(0, rest) : nil)
            }
            let rest = freshness.freshUntil.map { $0.timeIntervalSinceReferenceDate - now.wallTime }
            return .useData(seconds: rest.map { max(0, $0) })
        }
        switch cacheReading {
        case .inProgress: return .waitForCache
        case .notStarted: return resolvedConfiguration(for: .get).processing.hasCache ? .waitForCache : .load
        case .ended: return wouldReadOtherVariant ? .waitForCache : .load
        }
    }

    private var rulesOfLoads: [ResourceExplanation.Rule] {
        guard !context.rules.isMatching else { return [] }
        let set =
            isPeculiar
            ? context.configurations(for: location, url: { url }) : context.configurations(for: address, url: { url })
        return context.clock.whileCurrent { set.effects(for: .get) }.map { effect in
            ResourceExplanation.Rule(name: effect.rule, options: effect.changes.map { ($0.name, $0.value) })
        }
    }

    private var cachesOfLoads: [(stage: String, name: String)] {
        let resolved = resolvedConfiguration(for: .get)
        return zip(resolved.configuration.pipeline.order, resolved.processing.stages).compactMap { key, stage in
            stage.cache.map { (key.description, $0.name) }
        }
    }
}

extension TypedResource {
    /// Returns an explanation of the state of this resource; see ``Resource/explain()``.
    public func explain() -> ResourceExplanation { resource.explain() }
}

extension PushStatus {
    /// The status for people, without secrets.
    fileprivate func text(at now: TimeInterval) -> String {
        let time = date.map { $0.timeIntervalSinceReferenceDate - now }
        let reason = error.map { ": " + PreparedText.words($0.userMessage) } ?? ""
        switch phase {
        case .connecting: return "connecting"
        case .catchingUp: return "catching up"
        case .current: return "live" + Self.words("for", time.map { -$0 })
        case .interrupted: return "interrupted, the next attempt" + Self.words("in", time) + reason
        case .ended: return "interrupted, no attempt is planned" + reason
        }
    }

    private static func words(_ preposition: String, _ time: TimeInterval?) -> String {
        time.map { " \(preposition) \(max(0, $0).formatted(decimals: $0 < 10 ? 1 : 0)) s" } ?? ""
    }
}
