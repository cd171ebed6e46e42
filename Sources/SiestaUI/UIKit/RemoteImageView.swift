#if canImport(UIKit) && !os(watchOS)
public import SiestaCore
public import UIKit

/// An image view that loads its image.
///
///     imageView.placeholderImage = placeholder
///     imageView.imageURL = user.avatarURL
///
/// If the image is already in memory, the view shows it as soon as the URL is set. Otherwise, the image is loaded, and
/// decoded in the background at the size of the view. If the view's content mode does not scale images, the image is
/// decoded at full size.
///
/// If the view gets another resource or leaves its window, the running load is cancelled after 0.05 seconds, unless its
/// resource has other observers. When the view enters a window again, it loads the resource if necessary.
///
/// - Note: This code was type-checked against stand-ins for Apple's frameworks, and has never been built with Xcode.
@objc(BOSRemoteImageView)
open class RemoteImageView: UIImageView {
    /// The service that new views use as ``imageService``. The default is `Service.forImages`.
    public static var defaultImageService: Service = .forImages

    /// The store whose images all views share.
    public static var imageStore: ImageStore<ImageIODecoder> = .shared

    /// The view that is visible while the image is being loaded.
    @IBOutlet open weak var loadingView: UIView? { didSet { apply() } }

    /// The view that is visible while there is no image and nothing is being loaded. If there is a
    /// ``placeholderImage``, this view stays hidden.
    @IBOutlet open weak var alternateView: UIView? { didSet { apply() } }

    /// The image to show while the actual image is being loaded, or if the actual image is not available.
    @objc open var placeholderImage: UIImage? { didSet { apply() } }

    /// The service that loads the images of ``imageURL``. The default is ``defaultImageService``.
    open lazy var imageService: Service = RemoteImageView.defaultImageService

    /// A closure that transforms each image, including the placeholder, before the view shows it. By default, images
    /// are not changed.
    @objc open var imageTransform: (UIImage?) -> UIImage? = { $0 } { didSet { apply() } }

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

    /// The resource whose content is the image, as `Data` or as a `UIImage`.
    open var imageResource: Resource? {
        get { model.resource }
        set {
            model.resource = newValue
            newValue == nil ? model.disappear() : model.appear()
            apply()
        }
    }

    /// Resumes loading when the view enters a window, and stops loading when the view leaves its window.
    open override func didMoveToWindow() {
        super.didMoveToWindow()
        if window == nil, wasInWindow { model.disappear() }
        if window != nil, imageResource != nil { model.appear() }
        wasInWindow = window != nil
    }

    /// Updates the size at which the image is decoded. A view that is collapsed keeps its last size.
    open override func layoutSubviews() {
        super.layoutSubviews()
        if !bounds.isEmpty { model.targetSize = pixelSize }
    }

    /// The size in which the image is decoded; nil for its full size.
    private var pixelSize: PixelSize? {
        let size = bounds.size
        switch contentMode {
        case .scaleToFill, .scaleAspectFit, .redraw: return pixels(size)
        case .scaleAspectFill:
            // The image covers the view. This size suffices if it is at most twice as wide as the view, relative to its height.
            let edge = 2 * max(size.width, size.height)
            return pixels(CGSize(width: edge, height: edge))
        default: return nil
        }
    }

    private func pixels(_ size: CGSize) -> PixelSize? {
        PixelSize(size, scale: max(1, traitCollection.displayScale))
    }

    /// Shows the phase of the model.
    private func apply() {
        var isLoading = false
        var loaded: UIImage?
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
