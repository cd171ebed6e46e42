/// The state that a feature keeps for one service, and its reactions to what happens to the resources.
///
/// It is made when the feature is first used with the service, and found by its type. A service without features calls
/// nothing. Implementations are final classes.
@MainActor
package protocol ServiceExtension: AnyObject {
    /// Creates the state. The context owns it.
    init(context: ResourceContext)

    /// A load of a resource is about to start.
    func loadBegan(_ resource: Resource)

    /// A load has ended, and the state contains its result. No observer has been told.
    func loadEnded(_ resource: Resource, _ event: ResourceEvent, with info: ResponseInfo)

    /// Returns true if the feature knows that the data of a resource is the version of an entity, or a newer one.
    func hasData(of resource: Resource, asNewAs entity: Entity<Any>) -> Bool

    /// The result of a change has become the data of a resource, or a deletion has removed the data. No observer has been
    /// told. This is no load.
    ///
    /// - Parameter isDoubtful: True if other data may be newer.
    func changeSettled(_ resource: Resource, isDoubtful: Bool)

    /// The library has found that the data of a resource may differ from that of the server. No observer has been told.
    func becameStale(_ resource: Resource)

    /// A cache has brought the data of a resource. Observers have been told.
    ///
    /// - Parameter isPushed: True if the app has brought the data in place of a cache.
    func cachedDataArrived(_ resource: Resource, isPushed: Bool)

    /// A rule was added, or the results of the rules were forgotten.
    func configurationChanged()

    /// An observer was added.
    func observed(_ resource: Resource)

    /// Observers were removed.
    func unobserved(_ resource: Resource)

    /// The network or the app's activity has changed; see ``DeviceStatus``.
    func deviceChanged(_ change: DeviceChange)

    /// A person asks for another attempt of the requests of a resource that wait.
    func retryNow(_ resource: Resource)

    /// Returns descriptions of the work that is not finished.
    ///
    /// - Parameter includingTimers: false to leave out work that waits for a timer.
    func unfinishedWork(includingTimers: Bool) -> [String]

    /// Returns the number of changes of a resource that are neither confirmed nor refused.
    func pendingChangeCount(of resource: Resource) -> Int

    /// Returns a function that cancels the present work for resources that are about to be wiped, apart from requests; nil
    /// if there is none.
    func cancellation(of resources: [Resource], _ extent: Resource.WipeExtent) -> (() -> Void)?

    /// All resources and caches are being wiped.
    func wiped()

    /// The resources belong to another principal from now on.
    func principalChanged(of resources: [Resource])

    /// The data of the last principal is about to be removed. Afterwards, its requests are cancelled.
    func principalDataWillBeRemoved()

    /// The data of the last principal is removed, and no observer has been told.
    func principalDataWasRemoved()

    /// The principal has signed in again. Requests that the last credential did not permit may succeed now.
    func signedInAgain()

    /// The app has released the service.
    func serviceWasReleased()
}

extension ServiceExtension {
    package func loadBegan(_ resource: Resource) {}
    package func loadEnded(_ resource: Resource, _ event: ResourceEvent, with info: ResponseInfo) {}
    package func hasData(of resource: Resource, asNewAs entity: Entity<Any>) -> Bool { false }
    package func changeSettled(_ resource: Resource, isDoubtful: Bool) {}
    package func becameStale(_ resource: Resource) {}
    package func cachedDataArrived(_ resource: Resource, isPushed: Bool) {}
    package func configurationChanged() {}
    package func observed(_ resource: Resource) {}
    package func unobserved(_ resource: Resource) {}
    package func deviceChanged(_ change: DeviceChange) {}
    package func retryNow(_ resource: Resource) {}
    package func unfinishedWork(includingTimers: Bool) -> [String] { [] }
    package func pendingChangeCount(of resource: Resource) -> Int { 0 }
    package func cancellation(of resources: [Resource], _ extent: Resource.WipeExtent) -> (() -> Void)? { nil }
    package func wiped() {}
    package func principalDataWillBeRemoved() {}
    package func principalDataWasRemoved() {}
    package func principalChanged(of resources: [Resource]) {}
    package func signedInAgain() {}
    package func serviceWasReleased() {}
}

extension ResourceContext {
    /// Returns the extension of a type; nil if the feature is not in use.
    @inline(__always)
    package func known<Extension: ServiceExtension>(_ type: Extension.Type) -> Extension? {
        for case let known as Extension in extensions { return known }
        return nil
    }

    /// Returns the extension of a type. Makes it if the feature was not in use.
    package func feature<Extension: ServiceExtension>(_ type: Extension.Type) -> Extension {
        if let known = known(type) { return known }
        let new = Extension(context: self)
        extensions = extensions + [new]  // As all writes are instantaneous, reads need no check for exclusive access.
        return new
    }
}

/// An option that turns on a ``ServiceExtension``.
package protocol FeatureKey: ConfigurationKey {
    /// Prepares the service for a configuration for GET in which the option was set, perhaps to its default.
    @MainActor static func prepare(_ context: ResourceContext, for configuration: Configuration)
}
