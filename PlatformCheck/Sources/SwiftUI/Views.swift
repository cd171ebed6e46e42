public import AppKit
public import UIKit

public struct Text: View, Rendered, Equatable, Sendable {
    public typealias Body = Never
    let content: String

    public nonisolated init(verbatim content: String) { self.content = content }
    public nonisolated init<S>(_ content: S) where S: StringProtocol { self.content = String(content) }

    func render(in node: Node) { node.element = .text(content) }
}

public struct Image: View, Rendered, Equatable, Sendable {
    public typealias Body = Never
    nonisolated let content: ImageContent

    public nonisolated init(uiImage: UIImage) { content = ImageContent(image: uiImage) }
    public nonisolated init(nsImage: NSImage) { content = ImageContent(image: nsImage) }

    public nonisolated func resizable(
        capInsets: EdgeInsets = EdgeInsets(), resizingMode: Image.ResizingMode = .stretch
    ) -> Image { self }

    public nonisolated enum ResizingMode: Sendable {
        case tile, stretch
    }

    func render(in node: Node) { node.element = .image(content.image) }
}

/// The pixels of an image, which do not change.
nonisolated struct ImageContent: Equatable, @unchecked Sendable {
    let image: AnyObject
    static func == (left: ImageContent, right: ImageContent) -> Bool { left.image === right.image }
}

public struct EdgeInsets: Equatable, Sendable {
    public init() {}
}

public nonisolated struct Button<Label>: View, Rendered where Label: View {
    public typealias Body = Never
    let action: @MainActor () -> Void
    let label: Label

    @MainActor @preconcurrency
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        (self.action, self.label) = (action, label())
    }

    @MainActor
    func render(in node: Node) {
        node.element = .button(action: action)
        node.add(label, key: 0)
    }
}

extension Button where Label == Text {
    @MainActor @preconcurrency
    public init<S>(_ title: S, action: @escaping @MainActor () -> Void) where S: StringProtocol {
        self.init(action: action) { Text(title) }
    }
}

public nonisolated struct ProgressView<Label, CurrentValueLabel>: View, Rendered
where Label: View, CurrentValueLabel: View {
    public typealias Body = Never
    let fraction: Double?

    @MainActor
    func render(in node: Node) { node.element = .progress(fraction) }
}

extension ProgressView where CurrentValueLabel == EmptyView {
    public nonisolated init() where Label == EmptyView { fraction = nil }

    public nonisolated init<V>(value: V?, total: V = 1.0) where Label == EmptyView, V: BinaryFloatingPoint {
        fraction = value.map { Double($0 / total) }
    }
}

public nonisolated struct VStack<Content>: View, Rendered where Content: View {
    public typealias Body = Never
    let content: Content

    public nonisolated init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) { self.content = content() }

    @MainActor
    func render(in node: Node) { node.add(content, key: 0) }
}

public nonisolated struct ZStack<Content>: View, Rendered where Content: View {
    public typealias Body = Never
    let content: Content

    public nonisolated init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    @MainActor
    func render(in node: Node) { node.add(content, key: 0) }
}

public struct Color: View, Rendered, Hashable, Sendable {
    public typealias Body = Never
    public nonisolated static let clear = Color()
    nonisolated init() {}
    func render(in node: Node) {}
}

public struct HorizontalAlignment: Equatable, Sendable {
    public static let center = HorizontalAlignment()
}

public struct Alignment: Equatable, Sendable {
    public static let center = Alignment()
    public static let bottom = Alignment()
}
