/// A view with a change in the way in which it is rendered.
nonisolated struct Modified<Content: View>: View, Rendered {
    typealias Body = Never
    let content: Content
    let change: @MainActor (Content, Node) -> Void

    @MainActor
    func render(in node: Node) { change(content, node) }
}

extension View {
    nonisolated func modified(_ change: @escaping @MainActor (Node) -> Void) -> Modified<Self> {
        Modified(content: self) { content, node in
            change(node)
            node.add(content, key: 0)
        }
    }

    // MARK: Life cycle

    public nonisolated func onAppear(perform action: (() -> Void)? = nil) -> some View {
        let action = Unchecked(action)
        return modified { node in
            guard node.memory == nil else { return }
            node.memory = true
            node.host.afterwards { action.value?() }
        }
    }

    public nonisolated func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        let action = Unchecked(action)
        return modified { node in node.disappear = { action.value?() } }
    }

    public nonisolated func refreshable(action: @escaping @Sendable () async -> Void) -> some View {
        Modified(content: self) { content, node in
            var environment = node.environment
            environment.refresh = RefreshAction(action: action)
            node.add(content, key: 0, environment: environment)
        }
    }

    public nonisolated func onChange<V>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View where V: Equatable {
        let (value, action) = (Unchecked(value), Unchecked(action))
        return modified { node in
            let old = node.memory as? V
            node.memory = value.value
            if let old, old != value.value { node.host.afterwards { action.value(old, value.value) } }
            if old == nil, initial { node.host.afterwards { action.value(value.value, value.value) } }
        }
    }

    // MARK: Appearance

    public nonisolated func opacity(_ opacity: Double) -> some View {
        modified { $0.isVisible = opacity > 0 }
    }

    public nonisolated func overlay<V>(
        alignment: Alignment = .center, @ViewBuilder content: () -> V
    ) -> some View where V: View {
        let overlay = content()
        return Modified(content: self) { content, node in
            node.add(content, key: 0)
            node.add(overlay, key: 1)
        }
    }

    public nonisolated func frame(
        width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { modified { _ in } }

    public nonisolated func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { modified { _ in } }

    public nonisolated func padding(_ length: CGFloat) -> some View { modified { _ in } }
    public nonisolated func allowsHitTesting(_ enabled: Bool) -> some View { modified { _ in } }
    public nonisolated func font(_ font: Font?) -> some View { modified { _ in } }
    public nonisolated func multilineTextAlignment(_ alignment: TextAlignment) -> some View { modified { _ in } }

    // MARK: Accessibility

    public nonisolated func accessibilityHidden(_ hidden: Bool) -> ModifiedContent<
        Self, AccessibilityAttachmentModifier
    > { ModifiedContent(content: self, modifier: AccessibilityAttachmentModifier()) }

    public nonisolated func accessibilityLabel(
        _ label: Text
    ) -> ModifiedContent<Self, AccessibilityAttachmentModifier> {
        ModifiedContent(content: self, modifier: AccessibilityAttachmentModifier())
    }

    public nonisolated func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
        modified { _ in }
    }

    // MARK: Geometry

    public nonisolated func onGeometryChange<T>(
        for type: T.Type, of transform: @escaping @Sendable (GeometryProxy) -> T,
        action: @escaping (_ newValue: T) -> Void
    ) -> some View where T: Equatable, T: Sendable {
        let action = Unchecked(action)
        return modified { node in
            let value = transform(GeometryProxy())
            guard node.memory as? T != value else { return }
            node.memory = value
            node.host.afterwards { action.value(value) }
        }
    }
}

/// A value that only the main actor uses. The functions of SwiftUI may be called from anywhere.
nonisolated struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// The size of a view. Each view of the stand-in has 100 by 100 points.
public struct GeometryProxy: Sendable {
    public var size: CGSize { CGSize(width: 100, height: 100) }
}

public struct Font: Hashable, Sendable {
    public static let headline = Font()
    public static let subheadline = Font()
}

public enum TextAlignment: Hashable, CaseIterable, Sendable {
    case leading, center, trailing
}

public struct AccessibilityChildBehavior: Hashable, Sendable {
    public static let ignore = AccessibilityChildBehavior()
    public static let combine = AccessibilityChildBehavior()
}

@MainActor @preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
    typealias Content = _ViewModifier_Content<Self>
}

public nonisolated struct _ViewModifier_Content<Modifier>: View, Rendered where Modifier: ViewModifier {
    public typealias Body = Never
    let content: any View

    @MainActor
    func render(in node: Node) { node.add(content, key: 0) }
}

public nonisolated struct ModifiedContent<Content, Modifier> {
    public var content: Content
    public var modifier: Modifier
    public init(content: Content, modifier: Modifier) { (self.content, self.modifier) = (content, modifier) }
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
    @MainActor @preconcurrency
    public var body: some View { modifier.body(content: _ViewModifier_Content(content: content)) }
}

extension View {
    public nonisolated func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }
}

public struct AccessibilityAttachmentModifier: ViewModifier {
    nonisolated init() {}
    public func body(content: Content) -> some View { content }
}
