#if GTK
import CGTK
import SiestaGTK

/// The actions of a window, which buttons, menus and keys call by their names.
@MainActor
final class Actions {
    private let group = g_simple_action_group_new()!
    private let window: WidgetPointer
    private let shortcuts: OpaquePointer
    /// True while the app itself changes the state of an action.
    private var isSetting = false

    /// Adds actions with the prefix `win` to a window.
    init(_ window: WidgetPointer) {
        self.window = window
        shortcuts = gtk_shortcut_controller_new()
        gtk_shortcut_controller_set_scope(shortcuts, GTK_SHORTCUT_SCOPE_GLOBAL)
        gtk_widget_insert_action_group(window, "win", OpaquePointer(group))
        gtk_widget_add_controller(window, shortcuts)
    }

    /// Adds an action, and the keys that call it, for example `<Control>f`.
    func add(_ name: String, keys: String..., action: @escaping @MainActor () -> Void) {
        let added = g_simple_action_new(name, nil)!
        SignalConnection.connect(added, "activate") { _ in action() }
        insert(added)
        for key in keys {
            let shortcut = gtk_shortcut_new(gtk_shortcut_trigger_parse_string(key), gtk_named_action_new("win.\(name)"))
            gtk_shortcut_controller_add_shortcut(shortcuts, shortcut)
        }
    }

    /// Adds an action with a check mark in menus.
    func addToggle(_ name: String, action: @escaping @MainActor (Bool) -> Void) {
        let added = g_simple_action_new_stateful(name, nil, g_variant_new_boolean(0))!
        connect(added) { action(g_variant_get_boolean($0) != 0) }
    }

    /// Adds an action with one of several values, which menus show as radio buttons.
    func addChoice(_ name: String, value: String, action: @escaping @MainActor (String) -> Void) {
        let type = g_variant_type_new("s")
        defer { g_variant_type_free(type) }
        let added = g_simple_action_new_stateful(name, type, g_variant_new_string(value))!
        connect(added) { action(String(cString: g_variant_get_string($0, nil))) }
    }

    /// Sets whether an action can be called.
    func setEnabled(_ name: String, _ isEnabled: Bool) {
        guard let action = g_action_map_lookup_action(OpaquePointer(group), name) else { return }
        g_simple_action_set_enabled(action, isEnabled ? 1 : 0)
    }

    /// Sets the value of a choice, without calling its action.
    func setValue(_ name: String, _ value: String) {
        set(name, g_variant_new_string(value))
    }

    /// Sets the state of a toggle, without calling its action.
    func setValue(_ name: String, _ isOn: Bool) {
        set(name, g_variant_new_boolean(isOn ? 1 : 0))
    }

    private func set(_ name: String, _ value: OpaquePointer?) {
        guard let action = g_action_map_lookup_action(OpaquePointer(group), name) else { return }
        isSetting = true
        g_simple_action_set_state(action, value)
        isSetting = false
    }

    private func connect(_ action: OpaquePointer, _ changed: @escaping @MainActor (OpaquePointer) -> Void) {
        SignalConnection.connect(action, "notify::state") { [weak self] arguments in
            guard let self, !isSetting, let sender = arguments.sender,
                let state = g_action_get_state(OpaquePointer(sender))
            else { return }
            changed(state)
            g_variant_unref(state)
        }
        insert(action)
    }

    private func insert(_ action: OpaquePointer) {
        g_action_map_add_action(OpaquePointer(group), action)
        g_object_unref(UnsafeMutableRawPointer(action))
    }
}
#endif
