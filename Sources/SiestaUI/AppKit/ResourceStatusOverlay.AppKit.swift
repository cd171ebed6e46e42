#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
public import SiestaCore

/// A view that observes resources, and covers other views while the resources are being loaded or after a load has
/// failed.
///
///     let overlay = ResourceStatusOverlay().embed(in: self)
///     profile.addObserver(self).addObserver(overlay)
///
/// The overlay is hidden while the content can be shown. The rules in ``displayPriority`` decide when this is the case.
/// As in Siesta 1.5, the overlay shows each change at once. To show only loads that take some time, set the
/// `loadingDelay` of the ``model``.
///
/// To create a custom layout, connect the outlets that it needs, in a nib or in a closure:
///
///     let overlay = ResourceStatusOverlay { overlay in
///         let label = NSTextField(labelWithString: "")
///         overlay.addSubview(label)
///         overlay.errorDetail = label
///     }
///
/// - Note: This code was type-checked against stand-ins for Apple's frameworks, and has never been built with Xcode.
@objc(BOSResourceStatusOverlay)
open class ResourceStatusOverlay: NSView, ResourceObserver {
    /// A rule of ``displayPriority``.
    public typealias StateRule = SiestaUI.StateRule

    /// The view that contains all other views of the layout. This view is visible during a load and after a failure.
    @IBOutlet open weak var containerView: NSView?
    /// The view that is visible during a load.
    @IBOutlet open weak var loadingIndicator: NSView?
    /// The view that is visible after a failure.
    @IBOutlet open weak var errorView: NSView?
    /// The label that shows the heading of a message, for example *Could not load*.
    @IBOutlet open weak var errorHeadline: NSTextField?
    /// The label that shows the reason for a failure: the `userMessage` of the error. Without an ``errorHeadline``, the
    /// label shows the heading if there is no reason to show, for example if there is no network.
    @IBOutlet open weak var errorDetail: NSTextField?
    /// The button that calls ``retryFailedRequests(_:)``. This outlet is optional.
    @IBOutlet open weak var retryButton: NSButton! {
        didSet {
            retryButton?.target = self
            retryButton?.action = #selector(ResourceStatusOverlay.retryFailedRequests(_:))
            retryButton?.title = model.words.retry
        }
    }

    /// The model that decides what the overlay shows. You can change the delays, strings and rules of the model.
    public let model = StatusOverlayModel()
    private var shown = StatusDisplay.content

    /// Creates an overlay with the standard layout.
    public convenience init() {
        self.init { StandardStatusLayout.fill($0) }
    }

    /// Creates an overlay with a custom layout. The closure `layout` adds the views and connects the outlets.
    public convenience init(layout: (ResourceStatusOverlay) -> Void) {
        self.init(frame: .zero)
        layout(self)
        finishLayout()
    }

    /// Creates an overlay without a layout. To provide a layout, add views and connect the outlets.
    public override init(frame frameRect: NSRect) {
        super.init(frame: frameRect)
        connect()
    }

    /// Creates an overlay from a nib or a storyboard. There, add the views of the layout, and connect the outlets.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        connect()
    }

    /// Replaces the layout with the layout of a nib. The nib's owner must be of the overlay's class, and at least its
    /// outlet ``containerView`` must be connected. The new layout shows the current status at once. If the nib does not
    /// exist, the overlay has no layout afterwards.
    @objc open func load(fromNib nibName: String, bundle: Bundle = .main) {
        for view in subviews { view.removeFromSuperview() }
        var objects: NSArray?
        guard let nib = NSNib(nibNamed: nibName, bundle: bundle),
            nib.instantiate(withOwner: self, topLevelObjects: &objects)
        else { return }
        if let view = containerView ?? objects?.compactMap({ $0 as? NSView }).first {
            view.frame = bounds
            view.autoresizingMask = [.width, .height]
            addSubview(view)
            containerView = view
        }
        finishLayout()
    }

    private func connect() {
        isHidden = true
        (model.loadingDelay, model.minimumLoadingTime) = (0, 0)
        model.onChange = { [weak self] in self?.update() }
    }

    private func finishLayout() {
        retryButton?.title = model.words.retry  // The layout may have set other words.
        apply(model.display)
    }

    // MARK: Background

    /// The background color; nil for no background. ``embed(in:)`` sets this property to the background color of
    /// windows. If the system switches between light and dark appearance, a dynamic color adapts.
    open var backgroundColor: NSColor? {
        didSet { needsDisplay = true }
    }

    /// Draws the background. Since macOS 14, views are not clipped, and `dirtyRect` may be larger than the view.
    open override func draw(_ dirtyRect: NSRect) {
        guard let backgroundColor else { return }
        backgroundColor.setFill()
        NSBezierPath.fill(bounds)
    }

    // MARK: Position

    /// Adds the overlay to the view of a view controller, in front of all subviews, and sets ``backgroundColor`` to the
    /// background color of windows. The overlay covers the controller's view and resizes with it.
    @discardableResult
    @objc(embedIn:) open func embed(in parentViewController: NSViewController) -> Self {
        wantsLayer = true
        layer?.zPosition = 10_000
        backgroundColor = .windowBackgroundColor
        parentViewController.view.addSubview(self)
        autoresizingMask = [.width, .height]
        positionToCoverParent()
        return self
    }

    /// Moves the overlay so that it covers its superview. If you do not position the overlay with constraints, call
    /// this method from `viewDidLayout`.
    @objc open func positionToCoverParent() {
        if let superview { positionToCover(superview) }
    }

    /// Moves the overlay so that it covers a view. The view may be anywhere in the overlay's window.
    @objc open func positionToCover(_ view: NSView) {
        positionToCover(view.bounds, inView: view)
    }

    /// Moves the overlay so that it covers a rectangle in the coordinates of `srcView`. This view may be anywhere in
    /// the overlay's window.
    @objc open func positionToCover(_ rect: NSRect, inView srcView: NSView) {
        if let superview { frame = superview.convert(rect, from: srcView) }
    }

    // MARK: Rules and actions

    /// The rules, in order of priority. The first rule that applies determines what the overlay shows. If no rule
    /// applies, the overlay is hidden. The default is `[.loading, .error, .anyData]`.
    open var displayPriority: [StateRule] {
        get { model.displayPriority }
        set { model.displayPriority = newValue }
    }

    /// The raw values of the rules in ``displayPriority``. In Objective-C, this property is called `displayPriority`, as in
    /// Siesta 1.5. A string that is not the raw value of a rule is ignored.
    @objc(displayPriority) open var displayPriorityNames: [String] {
        get { displayPriority.map(\.rawValue) }
        set { displayPriority = newValue.compactMap { StateRule(rawValue: $0) } }
    }

    /// Marks `request` as a manual load, that is, a load that the user has requested. The rule
    /// ``StateRule/manualLoading`` applies until the request completes.
    open func trackManualLoad(_ request: any Request) {
        model.trackManualLoad(request)
    }

    /// Loads the observed resources that have an error. The model treats these loads as manual loads; see
    /// ``StatusOverlayModel/retry()``.
    @objc open func retryFailedRequests() {
        model.retry()
    }

    /// Calls ``retryFailedRequests()``. Use this method as the action of a control.
    @IBAction open func retryFailedRequests(_ sender: Any?) {
        retryFailedRequests()
    }

    // MARK: Observing

    /// Adds the resource to the model when the observation begins, and updates the model after each event.
    open func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        model.resourceChanged(resource, event: event)
    }

    /// Updates the model when a request begins to wait or stops waiting.
    open func resourceRetryChanged(_ resource: Resource, retry: Resource.Retry?) {
        model.resourceRetryChanged(resource, retry: retry)
    }

    /// Removes the resource from the model when the observation has ended.
    open func stoppedObserving(resource: Resource) {
        model.stoppedObserving(resource: resource)
    }

    // MARK: Showing

    private func update() {
        guard model.display != shown else { return }
        apply(model.display)
    }

    /// Shows a display. The states exclude each other.
    private func apply(_ display: StatusDisplay) {
        let old = shown
        shown = display
        isHidden = display.cover == .none
        containerView?.isHidden = display.cover == .none
        errorView?.isHidden = display.cover != .failure
        show(display.cover == .none ? nil : display.message)
        if display.cover == .loading, old.cover != .loading { fadeIn() }
        loadingIndicator?.isHidden = display.cover != .loading
        if display.cover == .failure, old.withoutCountdown != display.withoutCountdown { announce(display.message) }
    }

    private func show(_ message: StatusMessage?) {
        errorHeadline?.stringValue = message?.heading ?? ""
        errorDetail?.stringValue = (errorHeadline == nil ? message?.reason : message?.detail) ?? ""
        retryButton?.isHidden = message?.retryTitle == nil
        if let title = message?.retryTitle { retryButton?.title = title }
    }

    /// A short load shows only a trace of the indicator.
    private func fadeIn() {
        guard let loadingIndicator else { return }
        loadingIndicator.alphaValue = 0
        NSAnimationContext.runAnimationGroup { context in
            context.duration = 0.7
            loadingIndicator.animator().alphaValue = 1
        }
    }

    private func announce(_ message: StatusMessage?) {
        guard let window, let message else { return }
        NSAccessibility.post(
            element: window, notification: .announcementRequested, userInfo: [.announcement: message.line])
    }
}

extension ResourceStatusOverlay: SilentChangeObserver {
    /// Updates the model when the data begins or ceases to follow the server.
    package func resourceChangedSilently(_ resource: Resource) {
        model.resourceChangedSilently(resource)
    }
}
#endif
