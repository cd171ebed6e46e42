import Foundation
import SiestaCore

extension UserSession {
    /// The longest time for which requests wait for a refresh, in seconds. Then the refresh is cancelled.
    private static let refreshTimeLimit: TimeInterval = 60

    func beginRefresh(over network: AuthenticationNetwork) {
        guard let holder = rules.holder, rules.isRefreshing, holder.number != refreshedNumber else { return }
        refreshedNumber = holder.number
        SiestaLog.log(.network, ["Refreshing the credential"])
        let (previous, authenticator, vault, generation) = (refresh, authenticator, vault, vault.generation)
        refresh = clock.whileCurrent {
            CredentialRefresh.task { () async -> (SessionRules.Outcome, (any Error)?) in
                await previous?.value  // A cancelled refresh of another credential may still be running.
                do {
                    try Task.checkCancellation()
                    let new = try await Self.renewed(holder, authenticator, vault, generation, over: network)
                    return (.renewed(new.credential, until: new.isOwn ? self.trust(in: new.credential) : 0), nil)
                } catch let error as SessionExpired {
                    return (.expired(error), error)
                } catch {
                    return (.failed, error)
                }
            } then: { outcome, failure in
                self.endRefresh(of: holder, outcome, failure)
            }
        }
    }

    /// Returns a new credential, and saves it. If another process has refreshed the credential, returns that one.
    @concurrent
    private nonisolated static func renewed(
        _ holder: SessionRules.Holder, _ authenticator: any Authenticator, _ vault: CredentialVault,
        _ generation: Int, over network: AuthenticationNetwork
    ) async throws -> (credential: Credential, isOwn: Bool) {
        if let other = await vault.otherCredential(of: holder.principal) { return (other, false) }
        let new: Credential
        do {
            new = try await authenticator.refresh(holder.credential, over: network)
        } catch let error as SessionExpired {
            // Another process may have used the refresh token meanwhile.
            guard let other = await vault.otherCredential(of: holder.principal) else { throw error }
            return (other, false)
        }
        try authenticator.validate(new)  // Otherwise, requests would be sent without any credential.
        do {
            try await vault.saveSuccessor(
                StoredCredential(principal: holder.principal, credential: new), to: holder.credential, of: generation)
        } catch {
            SiestaLog.log(.network, ["The refreshed credential could not be saved:", error])
        }
        return (new, true)
    }

    /// Begins a refresh when the limit allows it, unless another credential has replaced this one.
    func holdRefresh(until time: TimeInterval, over network: AuthenticationNetwork) {
        guard let number = rules.holder?.number else { return }
        clock.schedule(after: time - clock.monotonicTime) {
            guard self.change({ $0.beginHeldRefresh(of: number, at: self.clock.monotonicTime) }) else { return }
            self.beginRefresh(over: network)
        }
    }

    /// Returns the time until which a credential counts as valid that a refresh has just brought: half of its lifetime, or
    /// for ever if it has expired already. Otherwise a long leeway, or a wrong clock, would make each request refresh it.
    private func trust(in credential: Credential) -> TimeInterval {
        let start = clock.wallTime
        func expires(after lifetime: TimeInterval) -> Bool {
            authenticator.expires(credential, by: Date(timeIntervalSinceReferenceDate: start + lifetime))
        }
        guard !expires(after: 0) else { return .infinity }
        var (valid, expired) = (0.0, 2 * max(0, authenticator.leeway))
        guard expires(after: expired) else { return 0 }
        if let date = credential.expirationDate { expired = min(expired, date.timeIntervalSinceReferenceDate - start) }
        for _ in 0..<10 where expires(after: expired) {
            let middle = (valid + expired) / 2
            if expires(after: middle) { expired = middle } else { valid = middle }
        }
        return clock.monotonicTime + max(0, expired) / 2
    }

    private func endRefresh(
        of holder: SessionRules.Holder, _ outcome: SessionRules.Outcome, _ failure: (any Error)?
    ) {
        if refreshedNumber == holder.number { refreshedNumber = 0 }
        let mayUseOld = rules.mayUseOld(isExpired: validity.isExpired)
        guard change({ $0.endRefresh(of: holder.number, outcome) }) else { return }
        guard let failure else { return release() }
        SiestaLog.log(.network, ["The credential could not be refreshed:", failure])
        release(refreshError(failure), mayUseOld: mayUseOld && rules.isReady)
    }

    /// Starts the timer that ends a wait, unless it is running, or another wait ends earlier.
    func limitWait(from start: TimeInterval) {
        let end = start + Self.refreshTimeLimit
        guard end < nextWaitEnd else { return }
        nextWaitEnd = end
        clock.schedule(after: end - clock.monotonicTime) { [weak self] in
            guard let self, nextWaitEnd == end else { return }
            nextWaitEnd = .infinity
            endLongWaits()
        }
    }

    /// Fails the requests that have waited too long, and cancels the refresh.
    private func endLongWaits() {
        let late = waits.removeAll(until: clock.monotonicTime - Self.refreshTimeLimit + 0.001)
        if !late.isEmpty {
            refresh?.cancel()
            let mayUseOld = rules.mayUseOld(isExpired: validity.isExpired)
            release(late, refreshError(URLError(.timedOut)), mayUseOld: mayUseOld)
        }
        if let start = waits.start { limitWait(from: start) }
    }

    private func refreshError(_ cause: any Error) -> RequestError {
        clock.whileCurrent {
            if let cause = cause as? SessionExpired { return error(.expired(cause)) }
            let cause = (cause as? RequestError)?.cause ?? cause
            return RequestError(.init(.credentialNotRefreshed, underlyingError: cause))
        }
    }

    func error(_ obstacle: SessionRules.Obstacle) -> RequestError {
        clock.whileCurrent {
            switch obstacle {
            case .expired(let reason): RequestError(userMessage: UserMessages.current.sessionExpired, cause: reason)
            case .limit(let time):
                RequestError(.refusal(.tooManyRefreshes, retryAfter: max(0, time - clock.monotonicTime)))
            }
        }
    }
}
