/// Holds answers back until a test lets them go.
///
///     let gate = StubGate()
///     network.answer(.get, "/slow", with: .json("{}").after(gate))
///     …
///     gate.open()
@MainActor
public final class StubGate {
    /// Whether answers pass.
    public private(set) var isOpen = false

    private var waiting: [() -> Void] = []

    /// Creates a gate, closed.
    public nonisolated init() {}

    /// How many answers wait.
    public var waitingCount: Int { waiting.count }

    /// Lets everything that waits go, in the order it came, and what comes later pass.
    public func open() {
        isOpen = true
        while !waiting.isEmpty { waiting.removeFirst()() }
    }

    /// Lets the one that waits longest go, and stays closed.
    public func releaseOne() {
        if !waiting.isEmpty { waiting.removeFirst()() }
    }

    /// Holds back what comes from now on.
    public func close() {
        isOpen = false
    }

    func pass(_ action: @escaping () -> Void) {
        if isOpen { action() } else { waiting.append(action) }
    }
}
