#if GTK
import CGTK

/// Properties of objects of GLib, by their names.
@MainActor
enum Property {
    static func text(_ name: String, of object: UnsafeMutableRawPointer) -> String {
        withValue(cgtk_type_string) { value in
            g_object_get_property(object.assumingMemoryBound(to: GObject.self), name, value)
            return g_value_get_string(value).map { String(cString: $0) } ?? ""
        }
    }

    static func set(_ name: String, of object: UnsafeMutableRawPointer, to text: String) {
        withValue(cgtk_type_string) { value in
            g_value_set_string(value, text)
            g_object_set_property(object.assumingMemoryBound(to: GObject.self), name, value)
        }
    }

    static func isTrue(_ name: String, of object: UnsafeMutableRawPointer) -> Bool {
        withValue(cgtk_type_boolean) { value in
            g_object_get_property(object.assumingMemoryBound(to: GObject.self), name, value)
            return g_value_get_boolean(value) != 0
        }
    }

    static func set(_ name: String, of object: UnsafeMutableRawPointer, to isTrue: Bool) {
        withValue(cgtk_type_boolean) { value in
            g_value_set_boolean(value, isTrue ? 1 : 0)
            g_object_set_property(object.assumingMemoryBound(to: GObject.self), name, value)
        }
    }

    private static func withValue<Result>(_ type: GType, _ body: (UnsafeMutablePointer<GValue>) -> Result) -> Result {
        var value = GValue()
        g_value_init(&value, type)
        defer { g_value_unset(&value) }
        return body(&value)
    }
}
#endif
