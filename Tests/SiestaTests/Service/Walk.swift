import Foundation
import SiestaCaches
import SiestaCore
import SiestaLists
import SiestaTesting
import TestDoubles

/// One visit of app code to the library: a service, two resources, and the action of the code.
@MainActor
final class Walk {
    /// The actions that code of the app may perform in every place.
    enum Action: CaseIterable {
        case lookUp, read, load, loadIfNeeded, request, cancel, invalidate, override, wipe, wipeWithCaches, wipeService
        case configure, invalidateConfiguration, askConfiguration, addObservers, removeObservers, cancelUnobserved
        case flush, limit, caches, describe
    }

    let clock = TestClock()
    let network = StubNetwork()
    let owner = Owner()
    /// Stays reachable after the release of the service.
    let kept: Resource
    /// The only reference to the service.
    var holder: Service?
    /// The number of calls of the app's code.
    private(set) var visits = 0
    private let action: Action
    private var isActing = false

    init(_ action: Action) {
        self.action = action
        let network = network
        network.handler = { _ in .text("answer") }
        let service = clock.whileCurrent { Service(baseURL: "https://walk.test", networking: network) }
        holder = service
        kept = service.resource("/kept")
    }

    var service: Service { kept.service }
    var target: Resource { service.resource("/target") }

    /// Runs the app's code. It stops acting after 29 visits: an observer that loads at each event would never end.
    func visit() {
        visits += 1
        guard !isActing, visits < 30 else { return }
        isActing = true
        defer { isActing = false }
        for resource in [target, kept] { perform(action, on: resource) }
    }

    /// Returns an object that visits the library when it is released.
    func farewell() -> WalkFarewell {
        WalkFarewell { self.visit() }
    }

    private func perform(_ action: Action, on resource: Resource) {
        let service = resource.service
        switch action {
        case .lookUp:
            for number in 0..<3 {
                _ = service.resource("/looked/up/\(visits)/\(number)").child("x").withParam("a", "b")
            }
        case .read:
            _ = (resource.latestData, resource.latestError, resource.timestamp, resource.snapshot)
            _ = (resource.isLoading, resource.isRequesting, resource.isUpToDate, resource.allRequests.map(\.progress))
        case .load: resource.load()
        case .loadIfNeeded: resource.loadIfNeeded()
        case .request: resource.request(.post, text: "x").onProgress { _ in }.onCompletion { _ in }
        case .cancel: for request in resource.allRequests + resource.loadRequests { request.cancel() }
        case .invalidate: resource.invalidate()
        case .override: resource.overrideLocalContent(with: "other \(visits)")
        case .wipe: resource.wipe()
        case .wipeWithCaches: resource.wipe(includingCaches: true)
        case .wipeService:
            service.wipeResources()
            service.wipeResources(includingCaches: true)
        case .configure:
            service.configure("/**") { $0.expirationTime = 7 }
            service.configure(whenURLMatches: { $0.path != "/" }) { $0.retryTime = 7 }
        case .invalidateConfiguration: service.invalidateConfiguration()
        case .askConfiguration: _ = (resource.configuration, resource.configuration(for: .post), resource.isUpToDate)
        case .addObservers: addObservers(to: resource)
        case .removeObservers: resource.removeObservers(ownedBy: owner)
        case .cancelUnobserved: resource.cancelLoadIfUnobserved()
        case .flush: service.flushUnusedResources()
        case .limit:
            service.cachedResourceCountLimit = 0
            _ = service.resource("/beyond/the/limit")
            service.cachedResourceCountLimit = 2048
        case .caches: _ = service.caches
        case .describe: _ = "\(resource) \(resource.allRequests.map { "\($0)" })"
        }
    }

    private func addObservers(to resource: Resource) {
        let object = Listener()
        resource.addObserver(object).addObserver(object, owner: owner).addObserver(Listener("x"), owner: Owner())
        for _ in 0..<40 { resource.addObserver(owner: owner) { _, _ in } }
        for _ in 0..<40 { resource.addObserver(owner: Owner()) { _, _ in } }
        resource.addObserver(IdentifiedListener(identity: "same", log: EventLog()), owner: owner)
        resource.removeObservers(ownedBy: object)
    }
}

/// Performs an action when it is released.
@MainActor
final class WalkFarewell {
    private let action: () -> Void

    init(_ action: @escaping () -> Void) {
        self.action = action
    }

    isolated deinit { action() }
}
