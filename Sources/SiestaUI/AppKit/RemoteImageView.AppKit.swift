#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
public import SiestaCore

/// An image view that loads its image.
///
///     imageView.placeholderImage = placeholder
///     imageView.imageURL = user.avatarURL
///
/// If the image is already in memory, the view shows it as soon as the URL is set. Otherwise, the image is loaded, and
/// decoded in the background at the size of the view.
///
/// If the view gets another resource or leaves its window, the running load is cancelled after 0.05 seconds, unless its
/// resource has other observers. When the view enters a window again, it loads the resource if necessary.
///
/// - Note: This code was type-checked against stand-ins for Apple's frameworks, and has never been built with Xcode.
@objc(BOSRemoteImageView)
open class RemoteImageView: NSImageView {
    /// The service that new views use as ``imageService``. The default is `Service.forImages`.
    public static var defaultImageService: Service = .forImages

    /// The store whose images all views share.
    public static var imageStore: ImageStore<ImageIODecoder> = .shared

    /// The view that is visible while the image is being loaded.
    @IBOutlet open weak var loadingView: NSView? { didSet { apply() } }

    /// The view that is visible while there is no image and nothing is being loaded. If there is a
    /// ``placeholderImage``, this view stays hidden.
    @IBOutlet open weak var alternateView: NSView? { didSet { apply() } }

    /// The image to show while the actual image is being loaded, or if the actual image is not available.
    @objc open var placeholderImage: NSImage? { didSet { apply() } }

    /// The service that loads the images of ``imageURL``. The default is ``defaultImageService``.
    open lazy var imageService: Service = RemoteImageView.defaultImageService

    /// A closure that transforms each image, including the placeholder, before the view shows it. By default, images
    /// are not changed.
    @objc open var imageTransform: (NSImage?) -> NSImage? = { $0 } { didSet { apply() } }

    private lazy var model: RemoteImageModel<ImageIODecoder> = {
        let model = RemoteImageModel(store: RemoteImageView.imageStore)
        model.onChange = { [weak self] in self?.apply() }
        model.targetSize = pixelSize
        return model
    }()
    private var wasInWindow = false

    /// The URL of the image; nil for no image. If the string is not a valid URL, the load of the image fails.
    @objc open var imageURL: String? {
        get { imageResource?.url.absoluteString }
        set { imageResource = newValue.map { imageService.resource(absoluteURL: $0) } }
    }

    /// The resource whose content is the image, as `Data` or as an `NSImage`.
    open var imageResource: Resource? {
        get { model.resource }
        set {
            model.resource = newValue
            newValue == nil ? model.disappear() : model.appear()
            apply()
        }
    }

    /// Resumes loading when the view enters a window, and stops loading when the view leaves its window.
    open override func viewDidMoveToWindow() {
        super.viewDidMoveToWindow()
        if window == nil, wasInWindow { model.disappear() }
        if window != nil, imageResource != nil { model.appear() }
        wasInWindow = window != nil
    }

    /// Updates the size at which the image is decoded. A view that is collapsed keeps its last size.
    open override func layout() {
        super.layout()
        if !bounds.isEmpty { model.targetSize = pixelSize }
    }

    private var pixelSize: PixelSize? { PixelSize(bounds.size, scale: max(1, window?.backingScaleFactor ?? 2)) }

    /// Shows the phase of the model.
    private func apply() {
        var isLoading = false
        var loaded: NSImage?
        switch model.phase {
        case .empty, .failed: break
        case .loading: isLoading = true
        case .image(let image): loaded = image.image
        }
        image = imageTransform(loaded ?? placeholderImage)
        loadingView?.isHidden = !isLoading
        alternateView?.isHidden = isLoading || loaded != nil || placeholderImage != nil
    }
}
#endif
