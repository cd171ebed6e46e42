package import SiestaCore

/// An object that observes. It writes its events into a log, which it may share with others, and then performs an
/// action.
package final class Listener: ResourceObserver {
    package let name: String
    package let log: EventLog
    package var action: (Resource, ResourceEvent) -> Void = { _, _ in }
    package var onStopped: (Resource) -> Void = { _ in }

    package init(_ name: String = "x", _ log: EventLog = EventLog()) {
        self.name = name
        self.log = log
    }

    package func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        log.add("\(name) \(event)")
        action(resource, event)
    }

    package func stoppedObserving(resource: Resource) {
        log.add("\(name) stopped")
        onStopped(resource)
    }
}

/// A value that observes. No two of them are the same observer.
package struct ValueListener: ResourceObserver {
    package let name: String
    package let log: EventLog

    package init(name: String, log: EventLog) { (self.name, self.log) = (name, log) }

    package func resourceChanged(_ resource: Resource, event: ResourceEvent) { log.add("\(name) \(event)") }
    package func stoppedObserving(resource: Resource) { log.add("\(name) stopped") }
}

/// A value that observes. Values with the same identity are the same observer.
package struct IdentifiedListener<Identity: Hashable>: ResourceObserver {
    package let identity: Identity
    package let log: EventLog

    package init(identity: Identity, log: EventLog) { (self.identity, self.log) = (identity, log) }

    package func resourceChanged(_ resource: Resource, event: ResourceEvent) { log.add("\(identity) \(event)") }
    package func stoppedObserving(resource: Resource) { log.add("\(identity) stopped") }
    package var observerIdentity: AnyHashable { identity }
}

/// The events that observers have received, in order.
@MainActor
package final class EventLog {
    package private(set) var lines: [String] = []

    package init() {}

    package func add(_ line: String) { lines.append(line) }

    /// Returns the events since the last call.
    package func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}

/// An owner of observers.
package final class Owner {
    package init() {}
}

extension Resource {
    /// Sends an event to all observers.
    package func tell() { overrideLocalContent(with: "") }
}
