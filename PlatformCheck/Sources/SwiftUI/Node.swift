/// A view in the tree, with the state that lives as long as the view is in the tree.
@MainActor
final class Node {
    /// The parts of a view that tests can see and use.
    enum Element {
        case text(String)
        case image(AnyObject)
        case progress(Double?)
        case button(action: @MainActor () -> Void)
    }

    let host: Update
    private(set) var view: any View
    private(set) var environment: EnvironmentValues
    var element: Element?
    var isVisible = true
    /// Called when the view leaves the tree.
    var disappear: (() -> Void)?
    /// Values that a modifier keeps between updates.
    var memory: Any?
    private(set) var children: [(key: Int, node: Node)] = []
    private var locations: [Location] = []
    private var replaced: [(key: Int, node: Node)] = []
    private var read = 0
    private(set) var isGone = false

    init(_ view: any View, environment: EnvironmentValues, host: Update) {
        (self.view, self.environment, self.host) = (view, environment, host)
    }

    /// Evaluates the view, and replaces the children.
    func render() {
        (replaced, children) = (children, [])
        if let rendered = view as? any Rendered {
            isVisible = true
            rendered.render(in: self)
        } else {
            add(evaluate(view), key: 0)
        }
        for (_, node) in replaced { node.leave() }
        replaced = []
    }

    func render(_ view: any View, environment: EnvironmentValues) {
        (self.view, self.environment) = (view, environment)
        render()
    }

    /// Adds a child, or updates the child with this key if its view has the same type.
    func add(_ view: any View, key: Int, environment changed: EnvironmentValues? = nil) {
        let environment = changed ?? self.environment
        if let index = replaced.firstIndex(where: { $0.key == key && type(of: $0.node.view) == type(of: view) }) {
            let (_, node) = replaced.remove(at: index)
            children.append((key, node))
            node.render(view, environment: environment)
        } else {
            let node = Node(view, environment: environment, host: host)
            children.append((key, node))
            node.render()
        }
    }

    private func evaluate(_ view: some View) -> any View {
        read = 0
        connect(view)
        return withObservationTracking {
            view.body as any View
        } onChange: { [weak self] in
            Task { @MainActor in self?.invalidate() }
        }
    }

    /// Connects the dynamic properties of the view to their storage, and updates them, inner ones first.
    private func connect(_ value: Any) {
        for child in Mirror(reflecting: value).children {
            if child.value is any ViewModifier { connect(child.value) }
            guard var property = child.value as? any DynamicProperty else { continue }
            connect(property)
            (property as? any Connected)?.connect(to: self)
            property.update()
        }
    }

    /// Returns the storage of the next property with state.
    func location(_ initial: () -> Location) -> Location {
        if read == locations.count {
            locations.append(initial())
            locations[read].node = self
        }
        defer { read += 1 }
        return locations[read]
    }

    func invalidate() {
        if !isGone { host.invalidate(self) }
    }

    /// Leaves the tree with all children.
    func leave() {
        isGone = true
        disappear?()
        for (_, node) in children { node.leave() }
        children = []
    }
}

/// The storage of one property with state.
@MainActor
final class Location {
    weak var node: Node?
    nonisolated(unsafe) var value: Any

    nonisolated init(_ value: Any) { self.value = value }

    nonisolated func set(_ value: Any) {
        self.value = value
        Task { @MainActor in node?.invalidate() }
    }
}

/// A property that the host connects to storage or to the environment.
@MainActor
protocol Connected {
    func connect(to node: Node)
}

/// The work of an update: nodes to evaluate, and actions to run when the tree is complete.
@MainActor
final class Update {
    private var invalid: [Node] = []
    private var actions: [@MainActor () -> Void] = []
    private(set) var evaluations = 0

    func invalidate(_ node: Node) {
        if !invalid.contains(where: { $0 === node }) { invalid.append(node) }
    }

    func afterwards(_ action: @escaping @MainActor () -> Void) { actions.append(action) }

    func run() {
        repeat {
            for node in invalid where !node.isGone { node.render() }
            evaluations += invalid.count
            invalid = []
            let due = actions
            actions = []
            for action in due { action() }
        } while !invalid.isEmpty || !actions.isEmpty
    }
}
