public import Foundation
public import SiestaCore

/// Serves one page on loopback that shows a service live: its resources, requests, caches, origins and log.
///
///     let inspector = Inspector(service)
///     let url = try await inspector.start()
///     print("Inspector: \(url)")
///
/// Open the URL in a browser of the same machine. It contains a random token of 128 bits, which every request needs.
/// The server rejects requests that name another host, or that come from another origin, so that no web page can read
/// it. It has at most 64 connections, and drops incomplete requests after 10 seconds.
///
/// The page shows no secrets. It shows URLs without user info, fragment and values of query items (see
/// `SiestaLog.shownQueryItems`), and it shows neither header fields nor bodies. With ``Permissions/full``, it also shows
/// contents as JSON, in which members whose names indicate a secret are redacted, and offers actions.
///
/// An inspector holds its service weakly. While it runs, it listens to `Service.activity`.
@MainActor
public final class Inspector {
    /// The address of the page; nil if the inspector is not running.
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
    ///   - service: The service that it shows.
    ///   - permissions: The permissions of the page. By default, it is read-only.
    ///   - logging: Categories of the log that are enabled while the inspector runs, for the page only. The page also
    ///     shows the messages of the categories that the app has enabled.
    public init(
        _ service: Service, permissions: Permissions = .readOnly, logging: Set<SiestaLog.Category> = []
    ) {
        (self.permissions, categories) = (permissions, logging)
        feed = InspectorFeed(service)
    }

    /// Starts listening, and returns the address of the page. If the inspector is already running, returns its address.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for a free port that the system chooses.
    ///   - evenInRelease: True to start even in a release build. Users of such an app could open the page.
    /// - Throws: ``InspectorError``.
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

    /// Closes the page and its port, and returns afterwards. Does nothing if the inspector is not running.
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
