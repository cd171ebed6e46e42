/// Shows a view without a screen, and lets a test see and use what a person would.
@_spi(Fakes)
@MainActor
public final class ViewHost {
    private let work = Update()
    private let root: Node
    private let environment: EnvironmentValues
    private let content: any View

    public init(displayScale: CGFloat = 2, @ViewBuilder _ content: @escaping () -> some View) {
        var environment = EnvironmentValues()
        environment.displayScale = displayScale
        self.environment = environment
        self.content = RootView(content: content)
        root = Node(self.content, environment: environment, host: work)
        root.render()
        work.run()
    }

    /// Evaluates the content again, as a parent view would.
    public func replaceContent() {
        root.render(content, environment: environment)
        work.run()
    }

    /// Evaluates the views whose state has changed, and runs the actions of views that appeared.
    public func update() { work.run() }

    /// The number of evaluations after the first.
    public var evaluations: Int { work.evaluations }

    /// Removes the view from the screen.
    public func close() {
        root.leave()
        work.run()
    }

    /// The visible texts, in their order.
    public var texts: [String] { visible().compactMap { if case .text(let text) = $0.element { text } else { nil } } }

    /// The visible images, in their order.
    public var images: [AnyObject] {
        visible().compactMap { if case .image(let image) = $0.element { image } else { nil } }
    }

    /// The fractions of the visible progress views, in their order. The fraction of a spinner is nil.
    public var progress: [Double?] {
        visible().compactMap { if case .progress(let fraction) = $0.element { fraction } else { nil } }
    }

    /// Presses the visible button with this title. Returns false if there is no such button.
    public func press(_ title: String) -> Bool {
        for node in visible() {
            guard case .button(let action) = node.element, Self.texts(node).contains(title) else { continue }
            action()
            work.run()
            return true
        }
        return false
    }

    /// Pulls to refresh, and waits for the action. Returns false if the view cannot be refreshed.
    public func refresh() async -> Bool {
        guard let action = visible().lazy.compactMap({ $0.environment.refresh }).first else { return false }
        await action()
        work.run()
        return true
    }

    private func visible() -> [Node] { Self.visible(root) }

    private static func visible(_ node: Node) -> [Node] {
        node.isVisible ? [node] + node.children.flatMap { visible($0.node) } : []
    }

    private static func texts(_ node: Node) -> [String] {
        visible(node).compactMap { if case .text(let text) = $0.element { text } else { nil } }
    }
}

/// Evaluates the content of a host, as a view of an app would.
private struct RootView<Content: View>: View {
    let content: () -> Content

    var body: Content { content() }
}
