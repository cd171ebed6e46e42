#if GTK
import CGTK

/// The arguments with which GTK emits a signal. Valid only while the handler runs.
///
/// The first argument, with index 0, is the object that emits the signal. The documentation of the signal names the others.
@MainActor public struct SignalArguments {
    private let values: UnsafeBufferPointer<GValue>

    init(_ values: UnsafeBufferPointer<GValue>) { self.values = values }

    /// The number of arguments, including the object itself.
    public var count: Int { values.count }

    /// The object that emits the signal.
    public var sender: UnsafeMutableRawPointer? { object(at: 0) }

    /// The object at an index, without an additional reference; nil if the argument has another type.
    public func object(at index: Int) -> UnsafeMutableRawPointer? {
        values.indices.contains(index) ? values.baseAddress.flatMap { cgtk_value_object($0 + index) } : nil
    }

    /// The text at an index; nil if the argument has another type.
    public func string(at index: Int) -> String? {
        (read(index, cgtk_type_string) { g_value_get_string($0).map { String(cString: $0) } }) ?? nil
    }

    /// The integer at an index, of any size or of an enumeration; nil if the argument has another type.
    public func integer(at index: Int) -> Int? {
        read(index, cgtk_type_int64) { Int(g_value_get_int64($0)) }
    }

    /// The number at an index; nil if the argument has another type.
    public func double(at index: Int) -> Double? {
        read(index, cgtk_type_double) { g_value_get_double($0) }
    }

    /// The Boolean value at an index; nil if the argument has another type.
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
