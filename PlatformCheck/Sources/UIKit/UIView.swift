@MainActor
open class UIView: UIResponder {
    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }

    public required init?(coder: NSCoder) {
        frame = .zero
        super.init()
    }

    public convenience override init() { self.init(frame: .zero) }

    open var frame: CGRect {
        didSet { if frame.size != oldValue.size { setNeedsLayout() } }
    }

    open var bounds: CGRect {
        get { CGRect(origin: .zero, size: frame.size) }
        set { frame.size = newValue.size }
    }

    open var alpha: CGFloat = 1
    open var isHidden = false
    open var backgroundColor: UIColor?
    open var contentMode = UIView.ContentMode.scaleToFill
    open var autoresizingMask: UIView.AutoresizingMask = []
    open var translatesAutoresizingMaskIntoConstraints = true
    open var traitCollection: UITraitCollection { UITraitCollection() }
    open var layer: CALayer { ownLayer }
    private let ownLayer = CALayer()

    open var isAccessibilityElement = false
    open var accessibilityLabel: String?

    // MARK: Hierarchy

    open private(set) var subviews: [UIView] = []
    open var superview: UIView? { parent }
    private weak var parent: UIView?
    open var window: UIWindow? { self as? UIWindow ?? superview?.window }

    open func addSubview(_ view: UIView) { insert(view) }

    private func insert(_ view: UIView) {
        let before = view.window
        view.parent?.subviews.removeAll { $0 === view }
        view.parent = self
        subviews.append(view)
        if view.window !== before { view.moved() }
        setNeedsLayout()
    }

    open func removeFromSuperview() {
        guard let superview else { return }
        let before = window
        superview.subviews.removeAll { $0 === self }
        parent = nil
        if before != nil { moved() }
    }

    open func didMoveToWindow() {}

    private func moved() {
        didMoveToWindow()
        for view in subviews { view.moved() }
    }

    // MARK: Layout

    private var needsLayout = true
    open func setNeedsLayout() { needsLayout = true }

    open func layoutIfNeeded() {
        if needsLayout {
            needsLayout = false
            layoutSubviews()
        }
        for view in subviews { view.layoutIfNeeded() }
    }

    open func layoutSubviews() {
        for view in subviews where view.autoresizingMask.contains([.flexibleWidth, .flexibleHeight]) {
            view.frame = bounds
        }
    }

    open func convert(_ rect: CGRect, from view: UIView?) -> CGRect {
        let origin = view?.originInRoot ?? .zero
        return rect.offsetBy(dx: origin.x - originInRoot.x, dy: origin.y - originInRoot.y)
    }

    private var originInRoot: CGPoint {
        let outer = superview?.originInRoot ?? .zero
        return CGPoint(x: outer.x + frame.minX, y: outer.y + frame.minY)
    }

    // MARK: Animations

    open class func animate(
        withDuration duration: TimeInterval, delay: TimeInterval, options: UIView.AnimationOptions = [],
        animations: @escaping () -> Void, completion: ((Bool) -> Void)? = nil
    ) {
        self.animations.append(duration)
        animations()
        completion?(true)
    }

    /// The durations of the animations, in seconds. The stand-in finishes each animation at once.
    @_spi(Fakes) public static var animations: [TimeInterval] = []

    public struct AnimationOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let allowUserInteraction = AnimationOptions(rawValue: 1 << 1)
        public static let beginFromCurrentState = AnimationOptions(rawValue: 1 << 2)
    }

    public enum ContentMode: Int, Sendable {
        case scaleToFill = 0
        case scaleAspectFit = 1
        case scaleAspectFill = 2
        case redraw = 3
        case center = 4
    }

    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
        public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4)
    }
}

@MainActor
open class UIWindow: UIView {}
