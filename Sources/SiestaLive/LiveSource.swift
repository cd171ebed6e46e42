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
/// All resources with the same source share one connection. The library opens the connection when the first observer is
/// added. It closes the connection when there have been no observers for ``lingerTime``. Two sources count as the same
/// if they name the same stream, and have the same ``pollingInterval``, ``silenceLimit`` and ``replaysMissedEvents``.
/// Their other options and their closures may differ.
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
    /// True if the topic of an event says whose data it is.
    private(set) var isByTopic = false

    /// The time for which a resource stays connected after its last observer has been removed, in seconds. The default
    /// is 30.
    public var lingerTime: TimeInterval = 30

    /// The time between the loads of a resource while there is no connection, in seconds. The default is nil: the
    /// resource is not polled.
    public var pollingInterval: TimeInterval?

    /// The number of seconds that a connection can go without receiving any bytes before it counts as lost. The default
    /// is 300.
    public var silenceLimit: TimeInterval = 300

    /// True if the server replays missed events when a request contains `Last-Event-ID`. The default is false: the
    /// observed resources are loaded after each new connection, unless the response repeats the sent identifier in a
    /// `Last-Event-ID` field.
    public var replaysMissedEvents = false

    /// A closure that returns the version of loaded data, or nil if the version is unknown. By default, the version is
    /// the entity tag.
    public var version: @Sendable (Entity<Any>) -> LiveVersion? = { $0.etag.map { LiveVersion(entityTag: $0) } }

    private init(_ origin: Origin, route: Route? = nil, update: @escaping Update) {
        (self.origin, self.route, self.update) = (origin, route, update)
    }

    /// A stream of server-sent events; see ``EventStream``.
    ///
    /// - Parameters:
    ///   - path: The path of the stream, relative to the base URL of the service, or its absolute URL.
    ///   - route: A closure that returns the path or the absolute URL of the resource that an event concerns, or nil if
    ///     there is none. Paths are relative to the base URL of the service. Without this closure, `update` is called
    ///     for each resource of the source, which is slow if the source has many resources.
    ///   - update: A closure that receives an event and the URL of a resource. It returns the update of this resource,
    ///     or nil if the event does not concern it. The closure is called off the main actor, in the order of the
    ///     events. If the closure throws an error, the resource is loaded.
    public static func eventSource(
        _ path: String, route: (@Sendable (_ event: ServerEvent) -> String?)? = nil,
        update: @escaping @Sendable (_ event: ServerEvent, _ url: URL) throws -> LiveUpdate?
    ) -> LiveSource {
        LiveSource(.events(path: path), route: route, update: update)
    }

    /// A Mercure hub. The library finds the hub and the topic in the `Link` field of the resource's response, by the
    /// relation types `mercure` and `self`. It finds the identifier of the last event in the `Last-Event-ID` field or,
    /// if this field is missing, in the link to the hub.
    ///
    /// An event of a hub does not name its topic. By default, an event's data replaces a resource's data only if the
    /// event cannot belong to any other resource. This is the case if `topic` is nil or the URL of the resource, or if
    /// `route` returns the resource. All other events, and events without data, only cause loads of the resources
    /// (``LiveUpdate/invalidate``). If `topic` is a template, pass a `route`, so that the data of events replaces the
    /// data of resources.
    ///
    /// - Parameters:
    ///   - topic: The topic, or a URI template for several topics. Resources with the same topic or template share a
    ///     connection. If `topic` is nil, each resource has a topic of its own: the target of its `self` link or,
    ///     without such a link, its URL. If several observed resources name the same topic, an event replaces only the
    ///     data of the resource whose URL is the topic, and the others are loaded.
    ///   - hubs: The hubs that may be used even if their origin differs from the origin of the resource. Requests to a
    ///     hub have the headers that are configured for its URL.
    ///   - route: The same closure as for ``eventSource(_:route:update:)``.
    ///   - update: The same closure as for ``eventSource(_:route:update:)``. The default is nil: the rules above apply.
    public static func mercure(
        topic: String? = nil, hubs: [URL] = [], route: (@Sendable (_ event: ServerEvent) -> String?)? = nil,
        update: (@Sendable (_ event: ServerEvent, _ url: URL) throws -> LiveUpdate?)? = nil
    ) -> LiveSource {
        let isOfOne = topic == nil || route != nil
        let byDefault: Update = { event, url in
            let isOwn = isOfOne || url.absoluteString == topic
            return isOwn && !event.data.isEmpty ? .replace(event.data) : .invalidate
        }
        var source = LiveSource(.mercure(topic: topic, hubs: hubs), route: route, update: update ?? byDefault)
        source.isByTopic = update == nil && route == nil
        return source
    }

    /// An asynchronous sequence of updates to one resource, for example from a WebSocket or a database.
    ///
    /// When a resource gets its first observer, the library calls the closure, and iterates over the returned sequence.
    /// If the sequence ends or fails, the library calls the closure again, after the same delays as an ``EventStream``.
    /// When there have been no observers for ``lingerTime``, the library cancels the iteration.
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
    /// While the state ``Resource/live`` is ``LiveState/live(since:)``, the data counts as fresh:
    /// ``Resource/loadIfNeeded()`` does nothing, unless ``Resource/invalidate()`` was called or the last load has failed.
    /// The response to a load that began before an update never replaces the update. The edits of pending changes are
    /// also applied to updated data.
    ///
    /// If a configuration change assigns another source, or none, to an observed resource, the resource disconnects
    /// from its old source; see ``Service/invalidateConfiguration()``.
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
