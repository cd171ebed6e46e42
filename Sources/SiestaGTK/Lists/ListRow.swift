#if GTK
/// The widget of a row, and the closures that fill it. A `ResourceList` reuses a row for other items.
@MainActor public struct ListRow<Item> {
    /// The widget that is shown for the row.
    public let widget: WidgetPointer
    /// A closure that shows an item in the row. It is also called if the item is replaced with a new version.
    public let bind: @MainActor (Item) -> Void
    /// A closure that is called when the row no longer shows its item. The row is then off screen, so the closure can,
    /// for example, end a load.
    public let unbind: @MainActor () -> Void

    /// Creates a row from its widget and its closures.
    ///
    /// The closures may hold Swift objects such as `RemoteImage`. They must not hold a strong reference
    /// (`g_object_ref`) to a widget that contains the row. These closures and the closure that creates rows must not
    /// destroy the list or its window, because GTK is using the list and the window while the closures run.
    public init(
        _ widget: WidgetPointer, bind: @escaping @MainActor (Item) -> Void,
        unbind: @escaping @MainActor () -> Void = {}
    ) {
        (self.widget, self.bind, self.unbind) = (widget, bind, unbind)
    }
}
#endif
