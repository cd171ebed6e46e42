#if GTK
/// The widget of a row, and the closures that fill it. A `ResourceList` reuses a row for other items.
@MainActor public struct ListRow<Item> {
    /// The widget.
    public let widget: WidgetPointer
    /// Shows an item. Also called if the item of the row is replaced by a new version.
    public let bind: @MainActor (Item) -> Void
    /// Called when the row is detached from its item, for example to end a load. The row is then off screen.
    public let unbind: @MainActor () -> Void

    /// Creates a row.
    ///
    /// The closures may hold Swift objects such as `RemoteImage`. They must not hold an `ObjectReference` to a widget that
    /// contains the row. Neither they nor the closure that makes rows may destroy the list or its window: GTK uses them.
    public init(
        _ widget: WidgetPointer, bind: @escaping @MainActor (Item) -> Void,
        unbind: @escaping @MainActor () -> Void = {}
    ) {
        (self.widget, self.bind, self.unbind) = (widget, bind, unbind)
    }
}
#endif
