#if GTK
/// A decoded image as an immutable texture of GDK, which a widget draws.
///
/// A texture never changes after its creation, and its reference count is atomic; GDK declares it to be thread-safe for this
/// reason. A renderer attaches data to a texture, on the main thread only. The last reference is therefore dropped on
/// the main thread, no matter which thread releases this object.
public final class TextureImage: @unchecked Sendable {  // sound: the pointer is constant, and the texture immutable
    /// The texture, a `GdkTexture`. Valid as long as this object exists; GTK adds references of its own.
    public let texture: OpaquePointer

    /// The texture as a paintable, for `gtk_picture_set_paintable` and similar functions.
    public var paintable: OpaquePointer { texture }

    /// Takes over a reference that the caller owns.
    init(owned texture: OpaquePointer) { self.texture = texture }

    deinit { MainThread.unref(UnsafeMutableRawPointer(texture)) }
}
#endif
