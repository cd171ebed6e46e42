import Foundation
import Isolation
import SiestaCore

/// The streams of a service that wait: for a time, for the network, or for the app to come to the foreground. In the
/// background, connections are closed.
final class StreamWaits: ServiceExtension {
    private unowned let context: ResourceContext
    private(set) var waits = ObjectTable<StreamWait>()
    private var connections: [WeakConnection] = []

    private struct WeakConnection { weak var connection: EventConnection? }

    init(context: ResourceContext) {
        self.context = context
        context.device.start()
    }

    /// Notes a connection that is about to be opened, so that it is closed when the app goes to the background. If the app is
    /// there, ends the connection.
    func add(_ connection: EventConnection) {
        guard context.device.isActive else { return connection.stop(because: .pause) }
        if connections.count == connections.capacity { connections.removeAll { $0.connection == nil } }
        connections.append(WeakConnection(connection: connection))
    }

    /// Waits for a time in seconds, and then until there is a network and the app is in the foreground. Returns at once if
    /// the task is cancelled.
    func wait(for delay: TimeInterval) async {
        let wait = StreamWait()
        await withTaskCancellationHandler {
            guard !Task.isCancelled else { return }
            if delay > 0 {
                context.clock.schedule(after: delay) { [weak wait] in wait?.end() }
                await wait.ends()
            }
            while !Task.isCancelled, !context.device.permitReloads {
                let next = StreamWait()
                wait.next = next
                _ = waits.set(next, of: wait)
                await next.ends()
                _ = waits.set(nil, of: wait)
            }
        } onCancel: {
            MainQueue.async { wait.cancel() }
        }
    }

    func deviceChanged(_ change: DeviceChange) {
        if context.device.permitReloads {
            for wait in waits.removeAll() { wait.end() }
        } else if !context.device.isActive {
            let open = connections.compactMap(\.connection)
            connections = []
            for connection in open { connection.stop(because: .pause) }
        }
    }
}

/// One wait of one task.
@MainActor
final class StreamWait {
    private var task: CheckedContinuation<Void, Never>?
    private var isOver = false
    /// The wait that follows; nil without one.
    var next: StreamWait?

    nonisolated init() {}

    func ends() async {
        guard !isOver else { return }
        await withCheckedContinuation { task = $0 }
    }

    func end() {
        isOver = true
        task.take()?.resume()
    }

    func cancel() {
        end()
        next?.end()
    }
}
