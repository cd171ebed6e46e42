@MainActor
open class NSView: NSResponder {
    public init(frame frameRect: NSRect) {
        frame = frameRect
        super.init()
    }

    public required init?(coder: NSCoder) {
        frame = .zero
        super.init(coder: coder)
    }

    public convenience override init() { self.init(frame: .zero) }

    open var frame: NSRect {
        didSet { if frame.size != oldValue.size { needsLayout = true } }
    }

    open var bounds: NSRect {
        get { NSRect(origin: .zero, size: frame.size) }
        set { frame.size = newValue.size }
    }

    open var alphaValue: CGFloat = 1
    open var isHidden = false
    open var autoresizingMask: NSView.AutoresizingMask = []
    open var translatesAutoresizingMaskIntoConstraints = true
    open var wantsLayer = false
    open var layer: CALayer? {
        get { wantsLayer ? ownLayer : nil }
        set {}
    }
    private let ownLayer = CALayer()

    open func setAccessibilityElement(_ accessibilityElement: Bool) { isElement = accessibilityElement }
    open func setAccessibilityLabel(_ accessibilityLabel: String?) { label = accessibilityLabel }
    open func accessibilityLabel() -> String? { label }
    open func isAccessibilityElement() -> Bool { isElement }
    private var label: String?
    private var isElement = false

    // MARK: Hierarchy

    open private(set) var subviews: [NSView] = []
    open var superview: NSView? { parent }
    private weak var parent: NSView?
    open var window: NSWindow? { owner ?? superview?.window }
    weak var owner: NSWindow?

    open func addSubview(_ view: NSView) { insert(view) }

    private func insert(_ view: NSView) {
        let before = view.window
        view.parent?.subviews.removeAll { $0 === view }
        view.parent = self
        subviews.append(view)
        if view.window !== before { view.moved() }
        needsLayout = true
    }

    open func removeFromSuperview() {
        guard let superview else { return }
        let before = window
        superview.subviews.removeAll { $0 === self }
        parent = nil
        if before != nil { moved() }
    }

    open func viewDidMoveToWindow() {}

    func moved() {
        viewDidMoveToWindow()
        for view in subviews { view.moved() }
    }

    // MARK: Layout

    open var needsLayout = true

    open func layoutSubtreeIfNeeded() {
        if needsLayout {
            needsLayout = false
            layout()
        }
        for view in subviews { view.layoutSubtreeIfNeeded() }
    }

    open func layout() {
        for view in subviews where view.autoresizingMask.contains([.width, .height]) { view.frame = bounds }
    }

    open func convert(_ rect: NSRect, from view: NSView?) -> NSRect {
        let origin = view?.originInRoot ?? .zero
        return rect.offsetBy(dx: origin.x - originInRoot.x, dy: origin.y - originInRoot.y)
    }

    private var originInRoot: NSPoint {
        let outer = superview?.originInRoot ?? .zero
        return NSPoint(x: outer.x + frame.minX, y: outer.y + frame.minY)
    }

    open var needsDisplay = true
    open func draw(_ dirtyRect: NSRect) {}
    open func animator() -> Self { self }

    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let width = AutoresizingMask(rawValue: 1 << 1)
        public static let height = AutoresizingMask(rawValue: 1 << 4)
    }
}

@MainActor
open class NSWindow: NSResponder {
    open var contentView: NSView? {
        didSet {
            oldValue?.owner = nil
            oldValue?.moved()
            contentView?.owner = self
            contentView?.moved()
        }
    }

    open var backingScaleFactor: CGFloat { 2 }
}
