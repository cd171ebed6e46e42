#if GTK
import CGTK

/// The arguments with which GTK emits a signal. They are valid only while the handler runs.
///
/// The first argument, with index 0, is the object that emits the signal. GTK's documentation of the signal lists the
/// others. Except for ``object(at:)``, the functions of this type convert an argument to the requested type as
/// `g_value_transform` does. All functions return nil if there is no argument at the index.
@MainActor public struct SignalArguments {
    private let values: UnsafeBufferPointer<GValue>

    init(_ values: UnsafeBufferPointer<GValue>) { self.values = values }

    /// The number of arguments, including the object that emits the signal.
    public var count: Int { values.count }

    /// The object that emits the signal.
    public var sender: UnsafeMutableRawPointer? { object(at: 0) }

    /// Returns the object at an index, without adding a reference; nil if the argument is not an object.
    public func object(at index: Int) -> UnsafeMutableRawPointer? {
        values.indices.contains(index) ? values.baseAddress.flatMap { cgtk_value_object($0 + index) } : nil
    }

    /// Returns the argument at an index as a string; nil if it cannot be converted.
    public func string(at index: Int) -> String? {
        (read(index, cgtk_type_string) { g_value_get_string($0).map { String(cString: $0) } }) ?? nil
    }

    /// Returns the argument at an index, such as a number or an enumeration value, as an integer; nil if it cannot be
    /// converted.
    public func integer(at index: Int) -> Int? {
        read(index, cgtk_type_int64) { Int(g_value_get_int64($0)) }
    }

    /// Returns the argument at an index as a floating-point number; nil if it cannot be converted.
    public func double(at index: Int) -> Double? {
        read(index, cgtk_type_double) { g_value_get_double($0) }
    }

    /// Returns the argument at an index as a Boolean value; nil if it cannot be converted.
    public func boolean(at index: Int) -> Bool? {
        read(index, cgtk_type_boolean) { g_value_get_boolean($0) != 0 }
    }

    /// Converts the value to a type as `g_value_transform` does it, and reads it.
    private func read<Result>(
        _ index: Int, _ type: GType, _ get: (UnsafePointer<GValue>) -> Result
    ) -> Result? {
        guard values.indices.contains(index) else { return nil }
        var converted = GValue()
        g_value_init(&converted, type)
        defer { g_value_unset(&converted) }
        guard g_value_transform(values.baseAddress.map { $0 + index }, &converted) != 0 else { return nil }
        return get(&converted)
    }
}
#endif
