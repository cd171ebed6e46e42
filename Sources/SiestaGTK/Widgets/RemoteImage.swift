#if GTK
import CGTK
import Dispatch
public import Foundation
public import SiestaCore
public import SiestaUI

/// A widget that shows the image of a resource.
///
/// ```swift
/// let avatar = RemoteImage(width: 40, height: 40, alternativeText: user.name)
/// avatar.resource = images.resource(absoluteURL: user.avatarURL)
/// gtk_box_append(row.cast(), avatar.widget)
/// ```
///
/// The image is loaded while the widget is mapped, that is, visible. It is decoded off the main thread, at its size on
/// screen. The image never changes the size of the widget. Until the image is ready, the widget shows an icon. After a
/// failure, the user can click the widget, or press Return or Space, to load the image again.
///
/// All widgets with the same `ImageStore` share its images. The Swift object is kept alive until GTK destroys the
/// widget. The object sets `model.onChange`, so the app must not set this closure.
@MainActor public final class RemoteImage {
    /// The store for all widgets that are created without a store. Its limit is 64 MiB.
    public static let sharedStore = ImageStore(decoder: TextureDecoder())

    /// The widget that draws the image. The pointer is valid until the widget is destroyed.
    public let widget: WidgetPointer

    /// The model that decides what the widget shows. Do not set the model's `targetSize`, because the widget sets it.
    /// To choose the image, set the widget's ``resource``.
    public let model: RemoteImageModel<TextureDecoder>

    /// The name of the icon that is shown while there is neither an image nor a failure; nil for no icon.
    public var placeholderIconName: String? = "image-x-generic-symbolic" { didSet { apply() } }

    /// The description of the image for screen readers. The default is an empty string, which is suitable for a
    /// decorative image.
    public var alternativeText: String { didSet { applyTexts() } }

    /// The strings for screen readers. The default is the value of `StatusWords.current` when the widget is created.
    public var words = StatusWords.current { didSet { applyTexts() } }

    private let canvas = ImageCanvas()
    private let icon: WidgetPointer
    private let isFixed: Bool
    private var retryControls: ImageRetryControls?
    private var isDestroyed = false
    /// The size of the last drawing, if the size of the widget is not fixed.
    private var drawnSize: PixelSize?

    /// Creates a widget that shows no image yet.
    ///
    /// - Parameters:
    ///   - width: The width in logical pixels. If the width or the height is nil, the container determines this
    ///     dimension, and the image is decoded after the widget is first drawn.
    ///   - height: The height in logical pixels.
    ///   - alternativeText: The description of the image for screen readers.
    ///   - store: The store that keeps the decoded images.
    public init(
        width: Int? = nil, height: Int? = nil, alternativeText: String = "",
        store: ImageStore<TextureDecoder> = RemoteImage.sharedStore
    ) {
        model = RemoteImageModel(store: store)
        self.alternativeText = alternativeText
        (widget, isFixed) = (canvas.widget, width != nil && height != nil)
        icon = cgtk_widget_new(gtk_image_get_type(), GTK_ACCESSIBLE_ROLE_PRESENTATION)
        gtk_widget_set_size_request(widget, gint(width ?? -1), gint(height ?? -1))
        gtk_widget_add_css_class(icon, "dim-label")
        gtk_image_set_pixel_size(icon.opaque, gint(min(width ?? 32, height ?? 32, 32)))
        gtk_widget_set_halign(icon, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(icon, GTK_ALIGN_CENTER)
        gtk_widget_set_parent(icon, widget)
        connect()
        applyTexts()
        apply()
    }

    /// The resource whose content is the image; nil for no image.
    public var resource: Resource? {
        get { model.resource }
        set { model.resource = newValue }
    }

    /// Shows the image at a URL.
    ///
    /// - Parameters:
    ///   - url: The URL of the image; nil for no image.
    ///   - service: The service that loads the image. The default is `Service.forImages`.
    public func show(_ url: URL?, from service: Service = .forImages) {
        model.show(url, from: service)
    }

    private func connect() {
        SignalConnection.connect(widget, "destroy") { _ in self.end() }  // before the handlers of the app
        SignalConnection.connect(widget, "map") { [weak self] _ in self?.update() }
        SignalConnection.connect(widget, "unmap") { [weak self] _ in self?.model.disappear() }
        SignalConnection.connect(widget, "notify::scale-factor") { [weak self] _ in self?.update() }
        if !isFixed { canvas.onDraw = { [weak self] in self?.drew($0, $1) } }
        model.onChange = { [weak self] in self?.apply() }
    }

    private func end() {
        isDestroyed = true
        (model.onChange, canvas.onDraw) = (nil, nil)
        model.disappear()
        canvas.image = nil
    }

    // MARK: Size and visibility

    /// Passes the size on the screen to the model, and loads the image if the widget is mapped.
    private func update() {
        guard !isDestroyed, let size = isFixed ? fixedSize : drawnSize else { return }
        model.targetSize = size
        if gtk_widget_get_mapped(widget) != 0 { model.appear() }
    }

    private var fixedSize: PixelSize {
        var (width, height): (gint, gint) = (0, 0)
        gtk_widget_get_size_request(widget, &width, &height)
        let scale = gtk_widget_get_scale_factor(widget)
        return PixelSize(width: Int(width * scale), height: Int(height * scale))
    }

    /// Notes the size of a drawing. Sides are rounded up to a multiple of 64, so that a window that is resized does not
    /// decode its images at each step. The model changes later: a drawing must not change widgets.
    private func drew(_ width: Int, _ height: Int) {
        let size = PixelSize(width: (width + 63) / 64 * 64, height: (height + 63) / 64 * 64)
        guard size != drawnSize else { return }
        drawnSize = size
        DispatchQueue.main.async { [weak self] in self?.update() }
    }

    // MARK: Showing

    private func apply() {
        guard !isDestroyed else { return }
        var (image, iconName, error) = (TextureImage?.none, placeholderIconName, RequestError?.none)
        switch model.phase {
        case .empty, .loading: break
        case .image(let found): (image, iconName) = (found, nil)
        case .failed(let failure): (iconName, error) = ("image-missing-symbolic", failure)
        }
        canvas.image = image
        if let iconName { gtk_image_set_from_icon_name(icon.opaque, iconName) }
        gtk_widget_set_visible(icon, iconName == nil ? 0 : 1)
        show(error)
    }

    private func show(_ error: RequestError?) {
        if error != nil, retryControls == nil {
            retryControls = ImageRetryControls(widget) { [weak self] in self?.model.retry() }
        }
        guard let retryControls, error != nil || retryControls.isEnabled else { return }
        gtk_widget_set_tooltip_text(widget, error?.userMessage)
        guard retryControls.isEnabled != (error != nil) else { return }
        retryControls.isEnabled = error != nil
        applyTexts()
    }

    private func applyTexts() {
        guard !isDestroyed else { return }
        let failure = retryControls?.isEnabled == true ? words.imageFailed : nil
        let label = [alternativeText, failure ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
        cgtk_set_accessible_label(widget, label)
        cgtk_set_accessible_description(widget, failure == nil ? "" : words.retry)
    }
}
#endif
