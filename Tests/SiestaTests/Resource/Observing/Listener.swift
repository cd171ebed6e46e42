import Siesta

/// An object that observes. It writes its events into a log, which it may share with others, and then performs an
/// action.
final class Listener: ResourceObserver {
    let name: String
    let log: EventLog
    var action: (Resource, ResourceEvent) -> Void = { _, _ in }
    var onStopped: (Resource) -> Void = { _ in }

    init(_ name: String = "x", _ log: EventLog = EventLog()) {
        self.name = name
        self.log = log
    }

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        log.add("\(name) \(event)")
        action(resource, event)
    }

    func stoppedObserving(resource: Resource) {
        log.add("\(name) stopped")
        onStopped(resource)
    }
}

/// A value that observes. No two of them are the same observer.
struct ValueListener: ResourceObserver {
    let name: String
    let log: EventLog

    func resourceChanged(_ resource: Resource, event: ResourceEvent) { log.add("\(name) \(event)") }
    func stoppedObserving(resource: Resource) { log.add("\(name) stopped") }
}

/// A value that observes. Values with the same identity are the same observer.
struct IdentifiedListener<Identity: Hashable>: ResourceObserver {
    let identity: Identity
    let log: EventLog

    func resourceChanged(_ resource: Resource, event: ResourceEvent) { log.add("\(identity) \(event)") }
    func stoppedObserving(resource: Resource) { log.add("\(identity) stopped") }
    var observerIdentity: AnyHashable { identity }
}

/// The events that observers have received, in order.
@MainActor
final class EventLog {
    private(set) var lines: [String] = []

    func add(_ line: String) { lines.append(line) }

    /// Returns the events since the last call.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}

/// An owner of observers.
final class Owner {}

extension Resource {
    /// Sends an event to all observers.
    func tell() { overrideLocalContent(with: "") }
}
