#if GTK
public import CGTK

/// A pointer to a widget, in the form that the functions of GTK and all bindings take.
public typealias WidgetPointer = UnsafeMutablePointer<GtkWidget>

extension UnsafeMutablePointer where Pointee == GtkWidget {
    /// The pointer to pass to C functions of widget types that Swift imports as opaque, for example `GtkLabel`.
    public var opaque: OpaquePointer { OpaquePointer(self) }

    /// Returns the same object as a pointer to `Type`, a type whose structure is public, for example `GtkButton`. The
    /// functions of such a type require this pointer. The type is not checked here; GTK checks it, and logs a message.
    public func cast<Type>(to _: Type.Type = Type.self) -> UnsafeMutablePointer<Type> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: Type.self)
    }

    /// Creates the pointer to a widget that a function of GTK returns with an opaque type.
    public init(_ object: OpaquePointer) where Pointee == GtkWidget {
        self = UnsafeMutableRawPointer(object).assumingMemoryBound(to: GtkWidget.self)
    }
}
#endif
