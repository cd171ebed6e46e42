public import Foundation
public import SiestaCore

/// A source of live updates for observed resources; see ``Configuration/live``.
///
///     service.configure("/orders/*") {
///         $0.live = .eventSource("/orders/events") { event, url in
///             url.lastPathComponent == event.type ? .replace(event.data) : nil
///         }
///     }
///
/// All resources with the same source share one connection. The library opens the connection for the first observer. It
/// closes the connection when the last observer has been gone for ``lingerTime``. Sources of several configurations are
/// the same if they name the same stream, with the same ``pollingInterval``, ``silenceLimit`` and
/// ``replaysMissedEvents``. Their other options and their functions may differ.
public struct LiveSource: Sendable {
    package typealias Update = @Sendable (_ event: ServerEvent, _ url: URL) throws -> LiveUpdate?

    package typealias Route = @Sendable (_ event: ServerEvent) -> String?

    typealias Sink = @Sendable (LiveUpdate) async throws -> Void

    enum Origin: Sendable {
        case events(path: String)
        case mercure(topic: String?, hubs: [URL])
        case sequence(@MainActor @Sendable (Resource) -> @Sendable (Sink) async throws -> Void)
    }

    let origin: Origin
    var route: Route?
    var update: Update

    /// The time for which a resource stays connected after its last observer is gone, in seconds. The default is 30.
    public var lingerTime: TimeInterval = 30

    /// The time between loads while there is no connection, in seconds. The default is nil: the resource is not loaded
    /// in this case.
    public var pollingInterval: TimeInterval?

    /// The time without any received bytes after which a connection counts as lost, in seconds. The default is 300.
    public var silenceLimit: TimeInterval = 300

    /// True if the server replays missed events after a `Last-Event-ID`. If this property is false, the observed
    /// resources are loaded after each new connection. They are not loaded if the response has a `Last-Event-ID` field
    /// with the identifier that was sent. The default is false.
    public var replaysMissedEvents = false

    /// A function that returns the version of loaded data, or nil if the version is unknown. By default, the version is
    /// the entity tag.
    public var version: @Sendable (Entity<Any>) -> LiveVersion? = { $0.etag.map { LiveVersion(entityTag: $0) } }

    private init(_ origin: Origin, route: Route? = nil, update: @escaping Update) {
        (self.origin, self.route, self.update) = (origin, route, update)
    }

    /// A stream of server-sent events; see ``EventStream``.
    ///
    /// - Parameters:
    ///   - path: The path of the stream, relative to the base URL of the service, or its absolute URL.
    ///   - route: A function that returns the path or the absolute URL of the resource of an event. Paths are relative to
    ///     the base URL of the service. Nil means that the event has no resource. If there is no such function, `update`
    ///     is called for each resource of the source, which is slow for many resources.
    ///   - update: A function that returns the update of the resource at a URL for an event; nil if there is no update.
    ///     The function is called off the main actor, in the order of the events. If the function throws an error, the
    ///     resource is loaded.
    public static func eventSource(
        _ path: String, route: (@Sendable (_ event: ServerEvent) -> String?)? = nil,
        update: @escaping @Sendable (_ event: ServerEvent, _ url: URL) throws -> LiveUpdate?
    ) -> LiveSource {
        LiveSource(.events(path: path), route: route, update: update)
    }

    /// A Mercure hub. The hub, the topic and the last event come from the `Link` field of the resource's response, with
    /// the relation types `mercure` and `self`.
    ///
    /// An event of a hub does not name its topic. By default, its data replaces the data of a resource only if the
    /// event can belong to no other resource: `topic` is nil or the URL of the resource, or `route` has found the
    /// resource. All other events, and events without data, have the update ``LiveUpdate/invalidate``: the resources
    /// of the source are loaded. With a template, pass a `route`, so that events replace data.
    ///
    /// - Parameters:
    ///   - topic: The topic, or a URI template for several topics. Resources with the same topic or template share a
    ///     connection. If `topic` is nil, each resource has a topic of its own: the target of its link `self`, or its
    ///     URL.
    ///   - hubs: The hubs that may be used even if their origin differs from the origin of the resource. Requests to a
    ///     hub have the headers that are configured for its URL.
    ///   - route: As for ``eventSource(_:route:update:)``.
    ///   - update: As for ``eventSource(_:route:update:)``.
    public static func mercure(
        topic: String? = nil, hubs: [URL] = [], route: (@Sendable (_ event: ServerEvent) -> String?)? = nil,
        update: (@Sendable (_ event: ServerEvent, _ url: URL) throws -> LiveUpdate?)? = nil
    ) -> LiveSource {
        let isOfOne = topic == nil || route != nil
        let byDefault: Update = { event, url in
            let isOwn = isOfOne || url.absoluteString == topic
            return isOwn && !event.data.isEmpty ? .replace(event.data) : .invalidate
        }
        return LiveSource(.mercure(topic: topic, hubs: hubs), route: route, update: update ?? byDefault)
    }

    /// Any sequence of updates of one resource, for example from a WebSocket or a database.
    ///
    /// The closure is called when the first observer is added. After the sequence has ended or failed, the closure is
    /// called again, with the delays of an ``EventStream``. The iteration is cancelled after the last observer is gone.
    public static func sequence<Updates: AsyncSequence & Sendable>(
        _ make: @escaping @MainActor @Sendable (Resource) -> Updates
    ) -> LiveSource where Updates.Element == LiveUpdate {
        LiveSource(
            .sequence { resource in
                let updates = make(resource)
                return { sink in for try await update in updates { try await sink(update) } }
            },
            update: { _, _ in nil })
    }
}

extension Configuration {
    /// The source that keeps the data up to date while the resource is observed. The default is nil: the resource has
    /// no source.
    ///
    /// While the state is ``LiveState/live(since:)``, the data counts as fresh: ``Resource/loadIfNeeded()`` does
    /// nothing. See ``Resource/live``. A load that began before an update never replaces it. The edits of pending
    /// changes still apply.
    ///
    /// When the configuration changes, observed resources leave this source if they have another source now, or none; see
    /// ``Service/invalidateConfiguration()``.
    public var live: LiveSource? {
        get { self[LiveKey.self] }
        set { self[LiveKey.self] = newValue }
    }
}

private struct LiveKey: FeatureKey {
    static let defaultValue: LiveSource? = nil

    static func text(of source: LiveSource?) -> String {
        switch source?.origin {
        case .events(let path): "events of \(PreparedText.url(path))"
        case .mercure(let topic, _): topic.map { "Mercure, \(PreparedText.url($0))" } ?? "Mercure"
        case .sequence: "a sequence"
        case nil: "none"
        }
    }

    static func prepare(_ context: ResourceContext, for configuration: Configuration) {
        if configuration.live != nil { _ = context.feature(Live.self) }
    }
}
