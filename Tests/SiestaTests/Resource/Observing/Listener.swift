import Siesta

/// An object that observes, writes what it hears into a log it may share with others, and does something then.
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

/// A value that observes; two of them are never the same.
struct ValueListener: ResourceObserver {
    let name: String
    let log: EventLog

    func resourceChanged(_ resource: Resource, event: ResourceEvent) { log.add("\(name) \(event)") }
    func stoppedObserving(resource: Resource) { log.add("\(name) stopped") }
}

/// A value that is the same as others with its identity.
struct IdentifiedListener<Identity: Hashable>: ResourceObserver {
    let identity: Identity
    let log: EventLog

    func resourceChanged(_ resource: Resource, event: ResourceEvent) { log.add("\(identity) \(event)") }
    func stoppedObserving(resource: Resource) { log.add("\(identity) stopped") }
    var observerIdentity: AnyHashable { identity }
}

/// What observers heard, in the order they heard it.
@MainActor
final class EventLog {
    private(set) var lines: [String] = []

    func add(_ line: String) { lines.append(line) }

    /// What was heard since this was asked last.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}

/// Something that owns observers.
final class Owner {}

extension Resource {
    /// Sends an event to all observers.
    func tell() { overrideLocalContent(with: "") }
}
