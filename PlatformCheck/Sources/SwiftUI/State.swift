public protocol DynamicProperty {
    mutating func update()
}

extension DynamicProperty {
    public mutating func update() {}
}

@propertyWrapper
public struct State<Value>: DynamicProperty {
    private let link: Link<Value>

    public init(wrappedValue value: Value) { link = Link(value) }

    public var wrappedValue: Value {
        get { link.location.value as! Value }  // swift-format-ignore: NeverForceUnwrap
        nonmutating set { link.location.set(newValue) }
    }
}

/// Copies of a view share this object, which refers to the storage in the tree.
private final class Link<Value> {
    nonisolated(unsafe) var location: Location
    init(_ initial: Value) { location = Location(initial) }
}

extension State: @MainActor Connected {
    func connect(to node: Node) { link.location = node.location { link.location } }
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    private let path: KeyPath<EnvironmentValues, Value>
    private let link = EnvironmentLink()

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { path = keyPath }

    public var wrappedValue: Value { link.values[keyPath: path] }
}

private final class EnvironmentLink {
    var values = EnvironmentValues()
}

extension Environment: @MainActor Connected {
    func connect(to node: Node) { link.values = node.environment }
}

public struct EnvironmentValues {
    public init() {}
    public var displayScale: CGFloat = 1
    public internal(set) var refresh: RefreshAction?
}

public struct RefreshAction: Sendable {
    let action: @Sendable () async -> Void
    public func callAsFunction() async { await action() }
}
