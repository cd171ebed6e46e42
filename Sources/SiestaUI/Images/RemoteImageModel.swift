import Dispatch
public import Foundation
public import SiestaCore

/// A model for a view that shows the image of a resource. Its ``phase`` is empty, loading, an image, or a failure.
///
///     let model = RemoteImageModel(store: images)
///     model.onChange = { [weak view, weak model] in if let model { view?.apply(model.phase) } }
///     model.targetSize = PixelSize(width: 64, height: 64)
///     model.resource = Service.forImages.resource(absoluteURL: user.avatarURL)
///     model.appear()
///
/// If the image is already in memory, it is available as soon as the resource is set. Otherwise, the model loads the
/// resource while the view is on screen, that is, between ``appear()`` and ``disappear()``. The model then decodes the
/// data in the background. If the resource is loaded again, the current image stays until the new image is ready. It
/// also stays if the load fails.
///
/// When a view is reused for another row, set ``resource`` to the resource of this row. The load of the old resource is
/// then cancelled after 0.05 seconds, unless the old resource has other observers.
///
/// Observation tracks ``phase``. The view must hold a reference to the model.
@MainActor
public final class RemoteImageModel<Decoder: ImageDecoding>: ResourceObserver {
    /// The state of an image.
    public enum Phase: Sendable {
        /// There is no resource, or the view is off screen and the image is not in memory.
        case empty
        /// The image is being loaded or decoded.
        case loading
        /// The image to show.
        case image(Decoder.Image)
        /// The image could not be loaded or decoded.
        case failed(RequestError)
    }

    /// The store whose images this model shares with other models.
    public let store: ImageStore<Decoder>

    /// A closure that is called after each change of ``phase``, for views that do not use Observation.
    public var onChange: (() -> Void)?

    /// True while the view is on screen, that is, between ``appear()`` and ``disappear()``.
    public private(set) var isVisible = false

    private struct Request: Equatable, Sendable {
        let resource: Resource
        let size: PixelSize?
        let revision: UInt64
    }

    private let tracked = TrackedProperty()
    private var changeCount = 0
    private var currentPhase = Phase.empty
    private var currentResource: Resource?
    private var currentSize: PixelSize?
    /// The image that ``phase`` shows; nil if it shows none.
    private var shown: Request?
    /// The image that is being decoded; nil if none is.
    private var wanted: (request: Request, ticket: ImageStore<Decoder>.Ticket)?

    /// Creates a model that has no resource and is not visible.
    public init(store: ImageStore<Decoder>) {
        self.store = store
    }

    // An isolated deinitializer would need newer systems than the rest of the library.
    deinit {
        let (store, ticket, resource) = (store, wanted?.ticket, isVisible ? currentResource : nil)
        guard ticket != nil || resource != nil else { return }
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                if let ticket { store.cancel(ticket) }
                resource?.cancelLoadIfUnobserved(afterDelay: Self.grace)
            }
        }
    }

    /// The time after which the load of a resource that is no longer shown is cancelled, in seconds. As in Siesta 1.5.
    private nonisolated static var grace: TimeInterval { 0.05 }

    /// The state to show. Observation tracks this property.
    public var phase: Phase {
        tracked.access()
        // The data was wiped, and the model has not been told yet.
        if let shown, !shown.resource.hasShownData { return .empty }
        return currentPhase
    }

    /// The decoded image; nil unless the ``phase`` is `image`. Observation tracks this property.
    public var image: Decoder.Image? {
        if case .image(let image) = phase { image } else { nil }
    }

    /// The resource whose content is the image; nil for no image. Its content must be `Data`, or a decoded image that
    /// the decoder of the ``store`` accepts, such as a `UIImage`. Setting the same resource again loads it if it is stale.
    public var resource: Resource? {
        get { currentResource }
        set {
            guard newValue !== currentResource else {
                if isVisible { newValue?.loadIfNeeded() }  // As in Siesta 1.5.
                return
            }
            let old = currentResource
            currentResource = newValue
            shown = nil
            stopDecoding()
            old?.removePassiveObserver(self)
            if isVisible { newValue?.addObserver(self) }
            // An observer is told at once, and may set another resource.
            if let old, old !== currentResource { leave(old) }
            refresh()
            if isVisible, newValue === currentResource { newValue?.loadIfNeeded() }
        }
    }

    /// Sets the ``resource`` to the resource at a URL. If the URL is nil, removes the image.
    ///
    /// - Parameters:
    ///   - url: The URL of the image.
    ///   - service: The service that loads the image. The default is `Service.forImages`.
    public func show(_ url: URL?, from service: Service = .forImages) {
        resource = url.map { service.resource(absoluteURL: $0) }
    }

    /// The size in pixels that the image must fit into; nil for its full size. The default is nil. A view sets this
    /// property to the size at which it shows the image, so that large images do not take more memory than needed.
    /// Smaller images are not enlarged.
    public var targetSize: PixelSize? {
        get { currentSize }
        set {
            guard newValue != currentSize else { return }
            currentSize = newValue
            refresh()
        }
    }

    /// Begins to observe the resource, and loads it if it is stale. Call this method when the view appears on screen.
    public func appear() {
        guard !isVisible else { return }
        isVisible = true
        currentResource?.removePassiveObserver(self)
        currentResource?.addObserver(self)
        refresh()
        if isVisible { currentResource?.loadIfNeeded() }
    }

    /// Stops observing the resource. If no other code needs the image, the load is cancelled, and the image is not
    /// decoded. The current image stays until its data is wiped. Call this method when the view leaves the screen.
    public func disappear() {
        guard isVisible else { return }
        isVisible = false
        stopDecoding()
        if let currentResource { leave(currentResource) }
        refresh()
    }

    /// Loads and decodes the image again. Call this method when the user asks for another attempt after a failure.
    public func retry() {
        guard let resource = currentResource else { return }
        if case .failed = currentPhase {
            store.remove(resource, fitting: currentSize)
            shown = nil
        }
        resource.retryNow()
        resource.joinLoad()
        refresh()
    }

    /// Updates the phase after an event of the resource.
    public func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        if resource === currentResource { refresh() }
    }

    private func leave(_ resource: Resource) {
        resource.removeObservers(ownedBy: self)
        resource.cancelLoadIfUnobserved(afterDelay: Self.grace)
    }

    // MARK: Deciding

    /// Computes the phase anew. Off screen, the model learns passively that the data of its image was wiped, for example
    /// because the user has signed out.
    private func refresh() {
        decide()
        if !isVisible, let shown { shown.resource.addPassiveObserver(self) }
    }

    private func decide() {
        guard let resource = currentResource else { return show(.empty, nil) }
        guard let content = resource.latestData?.content else { return showWithoutData(resource) }
        let request = Request(resource: resource, size: currentSize, revision: resource.contentRevision)
        if request == wanted?.request { return }
        stopDecoding()
        if request == shown { return }
        if let outcome = store.outcome(for: resource, fitting: currentSize) { return show(outcome, request) }
        switch store.decoder.source(of: content) {
        case .image(let image): show(.success(image), request)
        case .data(let data): decode(data, request)
        case nil: show(.failed(.notAnImage), request)
        }
    }

    private func showWithoutData(_ resource: Resource) {
        stopDecoding()
        if shown != nil { store.removeOutdated() }  // The data was wiped, and probably not only this data.
        if isVisible, resource.isLoading {
            show(.loading, nil)
        } else if let error = resource.latestError {
            show(.failed(error), nil)
        } else {
            show(.empty, nil)
        }
    }

    private func decode(_ data: Data, _ request: Request) {
        if shown == nil { show(isVisible ? .loading : .empty, nil) }
        // Code that is told may have changed everything.
        guard isVisible, wanted == nil, shown != request, request.resource === currentResource,
            request.size == currentSize,
            request.revision == request.resource.contentRevision
        else { return }
        let ticket = store.decode(data, of: request.resource, fitting: request.size) { [weak self] outcome in
            self?.decoded(outcome, request)
        }
        wanted = (request, ticket)
    }

    private func decoded(_ outcome: ImageStore<Decoder>.Outcome, _ request: Request) {
        guard wanted?.request == request else { return }
        wanted = nil
        show(outcome, request)
    }

    private func stopDecoding() {
        if let wanted { store.cancel(wanted.ticket) }
        wanted = nil
    }

    private func show(_ outcome: ImageStore<Decoder>.Outcome, _ request: Request) {
        switch outcome {
        case .success(let image): show(.image(image.image), request)
        case .failure(let error): show(.failed(error), request)
        }
    }

    private func show(_ phase: Phase, _ request: Request?) {
        shown = request
        // Counts also if nothing changes: a change that is being announced must not replace this later decision.
        changeCount += 1
        let change = changeCount
        if case .empty = phase, case .empty = currentPhase { return }
        if case .loading = phase, case .loading = currentPhase { return }
        tracked.willSet()
        // Code that is told may have changed the phase again.
        if change == changeCount { currentPhase = phase }
        tracked.didSet()
        if change == changeCount { onChange?() }
    }
}

extension RequestError {
    /// The error of content that is no image.
    static var notAnImage: RequestError {
        RequestError(userMessage: UserMessages.current.cannotParseImage, cause: RequestError.Cause.UnparsableImage())
    }
}
