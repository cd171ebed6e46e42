/// A gate that holds back answers until a test releases them.
///
///     let gate = StubGate()
///     network.answer(.get, "/slow", with: .json("{}").after(gate))
///     let load = service.resource("/slow").load()
///     #expect(service.resource("/slow").isLoading)
///     gate.open()
@MainActor
public final class StubGate {
    /// True if answers pass without waiting.
    public private(set) var isOpen = false

    private var waiting: [() -> Void] = []

    /// Creates a closed gate.
    public nonisolated init() {}

    /// The number of waiting answers.
    public var waitingCount: Int { waiting.count }

    /// Releases all waiting answers in the order of their arrival, and lets later answers pass.
    public func open() {
        isOpen = true
        while !waiting.isEmpty { waiting.removeFirst()() }
    }

    /// Releases the answer that has waited the longest. If the gate is closed, it stays closed.
    public func releaseOne() {
        if !waiting.isEmpty { waiting.removeFirst()() }
    }

    /// Holds back all later answers.
    public func close() {
        isOpen = false
    }

    func pass(_ action: @escaping () -> Void) {
        if isOpen { action() } else { waiting.append(action) }
    }
}
