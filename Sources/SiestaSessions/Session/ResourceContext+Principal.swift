import SiestaCore

/// The change of the principal in one service: the end of its requests, its data and its cookies.
extension ResourceContext: SessionMember {
    var authenticationNetwork: AuthenticationNetwork {
        AuthenticationNetwork(clock: clock) { [transport, clock] in
            await TokenExchange.response(to: $0, over: { transport.withoutCookies }, clock: clock)
        }
    }

    func principalChanged(from old: String?) -> any PrincipalChange {
        let new = authentication?.currentPrincipal
        transport.changeCookieOwner(to: .named(new), keepsCookies: old == nil)
        let personal = resources.filter(\.isPersonal)
        lastPrincipalChange = orderTime
        if old != nil { noteSessionEnd() }
        clock.whileCurrent {
            unfinishedWrites.revoke()
            for feature in extensions { feature.principalChanged(of: personal) }
        }
        let repeated = repeatedRequests.own.filter { $0.live?.resource?.isPersonal ?? true }
        let wipe = Resource.Wipe(personal, and: repeated, .principal)
        return ServiceWipe(wipe: wipe, context: self)
    }

    func signedInAgain() {
        clock.whileCurrent { for feature in extensions { feature.signedInAgain() } }
    }

    func removeStoredData(of principal: String) {
        for storage in storages { storage.storage?.removeAll(of: principal) }
    }

    func cookiesAreGone() async { await transport.cookiesAreGone() }

    func storedDataIsGone() async {
        await transport.cookiesAreGone()
        for storage in storages.compactMap(\.storage) {
            do {
                try await storage.flush()
            } catch {
                SiestaLog.emit(.cache, ["The data of a user may still be on the disk:", error])
            }
        }
    }
}

/// The wipe of one service after a change of the principal.
private struct ServiceWipe: PrincipalChange {
    let wipe: Resource.Wipe
    let context: ResourceContext

    func make(_ step: PrincipalChangeStep) {
        context.clock.whileCurrent {
            switch step {
            case .removeData:
                for feature in context.extensions { feature.principalDataWillBeRemoved() }
                wipe.removeState()
            case .cancelRequests: wipe.cancelRequests()
            case .announce:
                for feature in context.extensions { feature.principalDataWasRemoved() }
                wipe.announce()
            }
        }
    }
}
