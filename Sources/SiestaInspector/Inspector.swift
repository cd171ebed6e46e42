public import Foundation
public import SiestaCore

/// A server on loopback for a web page that shows a service live: its resources, requests, caches, origins and log.
///
///     let inspector = Inspector(service)
///     let url = try await inspector.start()
///     print("Inspector: \(url)")
///
/// Open the URL in a browser on the same machine. The URL contains a random token of 128 bits, and the server rejects
/// requests without this token. It also rejects requests whose `Host` header names another host, and requests from
/// other origins, so that no other web page can read the data. The server accepts at most 64 connections at a time, and
/// drops incomplete requests after 10 seconds.
///
/// The page shows no secrets. URLs appear without user info or fragments, and only with the query values that
/// `SiestaLog.shownQueryItems` allows. Header fields and bodies do not appear. With ``Permissions/full``, the page
/// offers actions, and shows contents as JSON. In this JSON, members whose names indicate a secret are redacted.
///
/// An inspector keeps only a weak reference to its service. While the inspector is running, it reads the events of
/// `Service.activity`.
@MainActor
public final class Inspector {
    /// The URL of the page; nil if the inspector is not running.
    public private(set) var url: URL?

    private let permissions: Permissions
    private let categories: Set<SiestaLog.Category>
    private let feed: InspectorFeed
    private var server: InspectorServer?
    private var tasks: [Task<Void, Never>] = []
    private var logSubscription: LogTap.Subscription?

    /// Creates an inspector. Call ``start(port:evenInRelease:)`` to open the page.
    ///
    /// - Parameters:
    ///   - service: The service that the page shows.
    ///   - permissions: The permissions of the page. By default, it is read-only.
    ///   - logging: Log categories to show on the page in addition to those that the app has enabled. The
    ///     messages of these additional categories appear only on the page.
    public init(
        _ service: Service, permissions: Permissions = .readOnly, logging: Set<SiestaLog.Category> = []
    ) {
        (self.permissions, categories) = (permissions, logging)
        feed = InspectorFeed(service)
    }

    /// Starts the server, and returns the URL of the page. If the inspector is already running, returns the current
    /// URL.
    ///
    /// - Parameters:
    ///   - port: The port on which the server listens; 0 for a free port that the system chooses.
    ///   - evenInRelease: True to start even in a release build. The users of such a build could open the page.
    /// - Throws: An ``InspectorError`` if the inspector cannot start; ``url`` is then nil.
    @discardableResult
    public func start(port: UInt16 = 0, evenInRelease: Bool = false) async throws(InspectorError) -> URL {
        if let url { return url }
        guard evenInRelease || Self.isDebugBuild else { throw .releaseBuild }
        guard let service = feed.service else { throw .serviceReleased }
        let answers = InspectorAnswers(feed: feed, permissions: permissions)
        let server: InspectorServer
        do throws(ServerSocket.Failure) {
            server = try InspectorServer(port: port) { await answers.answer($0, $1) }
        } catch {
            throw .portUnavailable(port: port, reason: error.description)
        }
        guard let url = URL(string: server.url) else { throw .serviceReleased }
        begin(server, service)
        self.url = url
        return url
    }

    private func begin(_ server: InspectorServer, _ service: Service) {
        self.server = server
        feed.open(server)
        let events = service.activity(limit: 20_000)
        tasks = [
            Task { @concurrent [feed] in await feed.read(events) },
            Task { @concurrent [weak feed] in
                while !Task.isCancelled {
                    try? await Task.sleep(for: .seconds(1))
                    await feed?.refresh()
                }
            },
        ]
        logSubscription = LogTap.shared.subscribe(to: categories) { [feed] in feed.note($0, $1) }
    }

    /// Stops the server, and returns when its port and all connections are closed. Does nothing if the inspector is not
    /// running.
    public func stop() {
        for task in tasks { task.cancel() }
        tasks = []
        logSubscription = nil
        feed.close()
        server?.stop()
        (server, url) = (nil, nil)
    }

    deinit {
        for task in tasks { task.cancel() }
        feed.close()
    }

    private static var isDebugBuild: Bool {
        #if DEBUG
        true
        #else
        false
        #endif
    }
}
