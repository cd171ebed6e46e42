#if GTK
/// A decoded image: an immutable GDK texture that widgets can draw.
///
/// Any thread may use a texture, because the texture never changes after its creation, and its reference count is
/// atomic. Any thread may also release this object. However, the reference to the texture is always released on the
/// main thread, because GTK's renderers may have attached data to the texture.
public final class TextureImage: @unchecked Sendable {  // sound: the pointer is constant, and the texture immutable
    /// The texture, a `GdkTexture`. The pointer is valid as long as this object exists. GTK adds its own references.
    public let texture: OpaquePointer

    /// The texture as a paintable, for `gtk_picture_set_paintable` and similar functions.
    public var paintable: OpaquePointer { texture }

    /// Takes over a reference that the caller owns.
    init(owned texture: OpaquePointer) { self.texture = texture }

    deinit { MainThread.unref(UnsafeMutableRawPointer(texture)) }
}
#endif
