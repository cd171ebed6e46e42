/// Stands for the framework SwiftUI of Apple platforms: views that a `ViewHost` evaluates, without a screen.
///
/// Members for tests only are in the SPI group `Fakes`, so that the sources of the package cannot use them.
@_exported public import AppleFoundation
@_exported public import CoreGraphics
@_exported public import Observation

@MainActor
@preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
    public var body: Never { fatalError("A primitive view has no body.") }
}

@resultBuilder
public struct ViewBuilder {
    public static func buildExpression<Content>(_ content: Content) -> Content where Content: View { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: View { content }

    public static func buildBlock<each Content>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> where repeat each Content: View {
        var views: [any View] = []
        for view in repeat each content { views.append(view) }
        return TupleView((repeat each content), views: views)
    }

    public static func buildIf<Content>(_ content: Content?) -> Content? where Content: View { content }

    public static func buildEither<TrueContent, FalseContent>(
        first: TrueContent
    ) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View {
        _ConditionalContent(first: first)
    }

    public static func buildEither<TrueContent, FalseContent>(
        second: FalseContent
    ) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View {
        _ConditionalContent(second: second)
    }
}

/// A view that the host renders, because it has no body.
@MainActor
protocol Rendered {
    func render(in node: Node)
}

extension Optional: View where Wrapped: View {
    public typealias Body = Never
}

extension View where Body == Never {
    public var body: Never { fatalError("A primitive view has no body.") }
}

extension Optional: @MainActor Rendered where Wrapped: View {
    func render(in node: Node) {
        if let self { node.add(self, key: 0) }
    }
}

public struct EmptyView: View, Rendered {
    public nonisolated init() {}
    public typealias Body = Never
    func render(in node: Node) {}
}

public nonisolated struct TupleView<T>: View, Rendered {
    public typealias Body = Never
    public var value: T
    let views: [any View]

    init(_ value: T, views: [any View]) { (self.value, self.views) = (value, views) }

    @MainActor
    func render(in node: Node) {
        for (index, view) in views.enumerated() { node.add(view, key: index) }
    }
}

public nonisolated struct _ConditionalContent<TrueContent, FalseContent>: View, Rendered
where TrueContent: View, FalseContent: View {
    public typealias Body = Never
    let first: TrueContent?
    let second: FalseContent?

    init(first: TrueContent) { (self.first, second) = (first, nil) }
    init(second: FalseContent) { (first, self.second) = (nil, second) }

    @MainActor
    func render(in node: Node) {
        if let first { node.add(first, key: 1) }
        if let second { node.add(second, key: 2) }
    }
}
