#if GTK
import CGTK

/// A widget that draws a texture into its area, below its children. The size of the texture does not change the size of the
/// widget, so rows do not move when images arrive.
@MainActor final class ImageCanvas {
    let widget: WidgetPointer

    /// The texture, drawn as large as possible in its proportions.
    var image: TextureImage? {
        didSet { gtk_widget_queue_draw(widget) }
    }

    /// Called before each drawing, with the size of the widget in pixels of the screen. It must not change widgets.
    var onDraw: ((_ width: Int, _ height: Int) -> Void)?

    init() {
        widget = cgtk_widget_new(Self.type, GTK_ACCESSIBLE_ROLE_IMG)
        ObjectClass.setPeer(self, of: widget)
    }

    private static let type = ObjectClass.register("SiestaImageCanvas", parent: gtk_widget_get_type()) { type, _ in
        guard let type else { return }
        let widgetClass = type.assumingMemoryBound(to: GtkWidgetClass.self)
        widgetClass.pointee.snapshot = { widget, snapshot in
            guard let widget, let snapshot else { return }
            MainThread.run((widget, snapshot)) { ImageCanvas.draw($0, $1) }
        }
        type.assumingMemoryBound(to: GObjectClass.self).pointee.dispose = { object in
            guard let object else { return }
            MainThread.run(object) { ImageCanvas.dispose($0) }
        }
        gtk_widget_class_set_layout_manager_type(widgetClass, gtk_bin_layout_get_type())
        gtk_widget_class_set_css_name(widgetClass, "image")
    }

    private static func draw(_ widget: WidgetPointer, _ snapshot: OpaquePointer) {
        ObjectClass.peer(of: widget, as: ImageCanvas.self)?.draw(snapshot)
        var child = gtk_widget_get_first_child(widget)
        while let current = child {
            gtk_widget_snapshot_child(widget, current, snapshot)
            child = gtk_widget_get_next_sibling(current)
        }
    }

    /// Removes the children, as each widget must, and calls the function of the superclass.
    private static func dispose(_ object: UnsafeMutablePointer<GObject>) {
        let widget = UnsafeMutableRawPointer(object).assumingMemoryBound(to: GtkWidget.self)
        while let child = gtk_widget_get_first_child(widget) { gtk_widget_unparent(child) }
        let parent = g_type_class_peek(gtk_widget_get_type())?.assumingMemoryBound(to: GObjectClass.self)
        parent?.pointee.dispose(object)
    }

    private func draw(_ snapshot: OpaquePointer) {
        let (width, height) = (Int(gtk_widget_get_width(widget)), Int(gtk_widget_get_height(widget)))
        let scale = Int(gtk_widget_get_scale_factor(widget))
        onDraw?(width * scale, height * scale)
        guard let image, width > 0, height > 0 else { return }
        var area = Self.area(of: image, width: Double(width), height: Double(height))
        gtk_snapshot_append_texture(snapshot, image.texture, &area)
    }

    private static func area(of image: TextureImage, width: Double, height: Double) -> graphene_rect_t {
        let (imageWidth, imageHeight) = (
            Double(gdk_texture_get_width(image.texture)), Double(gdk_texture_get_height(image.texture))
        )
        let scale = min(width / imageWidth, height / imageHeight)
        let (shownWidth, shownHeight) = (imageWidth * scale, imageHeight * scale)
        return graphene_rect_t(
            origin: graphene_point_t(
                x: Float(((width - shownWidth) / 2).rounded()), y: Float(((height - shownHeight) / 2).rounded())),
            size: graphene_size_t(width: Float(shownWidth), height: Float(shownHeight)))
    }
}
#endif
