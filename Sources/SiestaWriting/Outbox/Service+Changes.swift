import Foundation
public import SiestaCore

extension Service {
    /// The outbox that keeps the durable changes of this service. The default is nil: durable changes fail.
    ///
    /// Setting an outbox reads its folder, shows the changes in it, and begins to send them. Set the outbox when the
    /// app starts, after the configuration and the session. An outbox belongs to one service, and cannot be used again
    /// after another value has been set. If you set an outbox that belongs to another service or has ended, the value
    /// becomes nil.
    public final var outbox: Outbox? {
        get { context.outbox }
        set {
            MainQueue.check("Service.outbox")
            let old = outbox
            guard old !== newValue else { return }
            let isUsable = newValue?.attach(to: context) ?? false
            context.outbox = isUsable ? newValue : nil
            old?.detach()
        }
    }

    /// Sets a resolver for the conflicts of changes to some resources. The resolver is used for changes without a
    /// resolver of their own. Examples are changes that an ``Outbox`` has kept since the last start of the app. If
    /// several calls apply to a resource, the resolver of the last call is used.
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
