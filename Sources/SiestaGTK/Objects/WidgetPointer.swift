#if GTK
public import CGTK

/// A pointer to a widget, of the type that GTK's functions and Swift bindings for GTK expect.
public typealias WidgetPointer = UnsafeMutablePointer<GtkWidget>

extension UnsafeMutablePointer where Pointee == GtkWidget {
    /// The same pointer as an `OpaquePointer`, for C functions of widget types that Swift imports as opaque, for
    /// example `GtkLabel`.
    public var opaque: OpaquePointer { OpaquePointer(self) }

    /// Returns the widget as a pointer to `Type`, for C functions of types whose structure is public, for example
    /// `GtkButton`. This method does not check the type. If the type is wrong, the C function logs a message.
    public func cast<Type>(to _: Type.Type = Type.self) -> UnsafeMutablePointer<Type> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: Type.self)
    }

    /// Creates a widget pointer from an opaque pointer that a function of GTK has returned.
    public init(_ object: OpaquePointer) where Pointee == GtkWidget {
        self = UnsafeMutableRawPointer(object).assumingMemoryBound(to: GtkWidget.self)
    }
}
#endif
