import Foundation
public import SiestaCore

extension Service {
    /// The outbox that keeps the durable changes of this service. The default is nil: durable changes fail.
    ///
    /// When you set an outbox, it reads its stored changes, shows them, and begins to send them. Set the outbox when
    /// the app starts, after the configuration and the session. An outbox belongs to one service, and ends when you set
    /// another value. If you set an outbox that has ended or belongs to another service, the value becomes nil.
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

    /// Sets a resolver for conflicts of changes to the resources that match a pattern. The resolver is used for changes
    /// without a resolver of their own, such as changes that an ``Outbox`` has kept from an earlier process. If several
    /// patterns match a resource, the resolver that was set last is used.
    ///
    /// - Parameters:
    ///   - pattern: The pattern of the resources, as in ``configure(_:requestMethods:description:configurer:)``.
    ///   - type: The type of the resources' content.
    ///   - resolve: A closure that resolves a conflict, as in
    ///     ``TypedResource/mutate(_:body:also:options:edit:resolve:)``.
    public final func resolveConflicts<Content: Sendable>(
        _ pattern: any ConfigurationPatternConvertible, as type: Content.Type = Content.self,
        _ resolve: @escaping TypedResource<Content>.ConflictResolver
    ) {
        MainQueue.check("Service.resolveConflicts(_:as:_:)")
        let matches = pattern.configurationPattern(for: self)
        context.feature(Changes.self).resolvers.append((matches, TypedResource<Content>.untyped(resolve)))
    }
}
