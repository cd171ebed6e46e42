import Foundation
public import SiestaCore

extension Service {
    /// The outbox, which keeps the durable changes of this service. The default is nil: durable changes are not
    /// possible.
    ///
    /// Setting an outbox reads its folder, shows the changes in it, and begins to send them. Set it when the app
    /// starts, after the configuration and after the session. An outbox belongs to one service, and cannot be used
    /// again after another value was set. If you set an outbox that belongs to another service or has ended, the value
    /// is nil.
    public final var outbox: Outbox? {
        get { context.outbox as? Outbox }
        set {
            MainQueue.check("Service.outbox")
            let old = outbox
            guard old !== newValue else { return }
            let isUsable = newValue?.attach(to: context) ?? false
            context.outbox = isUsable ? newValue : nil
            old?.detach()
        }
    }

    /// Sets a resolver for the conflicts of changes of some resources that have no resolver of their own, for example
    /// of changes that an ``Outbox`` has kept since the last start of the app. If several calls apply to a resource,
    /// the last one is used.
    ///
    /// - Parameters:
    ///   - pattern: The resources, as in ``configure(_:requestMethods:description:configurer:)``.
    ///   - type: The type of the content.
    ///   - resolve: See ``TypedResource/mutate(_:body:also:options:edit:resolve:)``.
    public final func resolveConflicts<Content: Sendable>(
        _ pattern: any ConfigurationPatternConvertible, as type: Content.Type = Content.self,
        _ resolve: @escaping TypedResource<Content>.ConflictResolver
    ) {
        MainQueue.check("Service.resolveConflicts(_:as:_:)")
        let matches = pattern.configurationPattern(for: self)
        context.feature(Changes.self).resolvers.append((matches, TypedResource<Content>.untyped(resolve)))
    }
}
