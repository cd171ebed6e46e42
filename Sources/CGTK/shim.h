#include <gdk-pixbuf/gdk-pixbuf.h>
#include <glib-unix.h>
#include <gtk/gtk.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

// The two functions by which CoreFoundation drains the main queue of libdispatch. The library exports them, but no
// header declares them. The handle is an eventfd on Linux.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

// The thread of `main` has the number of the process.
static inline bool cgtk_is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }

// Macros and functions with variable arguments.

static const GdkMemoryFormat cgtk_memory_default = GDK_MEMORY_DEFAULT;
static const int cgtk_priority_redraw = GDK_PRIORITY_REDRAW;

static const gboolean cgtk_source_continue = G_SOURCE_CONTINUE;
static const gboolean cgtk_source_remove = G_SOURCE_REMOVE;
static const guint cgtk_invalid_position = GTK_INVALID_LIST_POSITION;
static const GType cgtk_type_boolean = G_TYPE_BOOLEAN;
static const GType cgtk_type_int64 = G_TYPE_INT64;
static const GType cgtk_type_double = G_TYPE_DOUBLE;
static const GType cgtk_type_string = G_TYPE_STRING;
static const GType cgtk_type_object = G_TYPE_OBJECT;

static inline gpointer cgtk_value_object(const GValue *value) {
    return G_VALUE_HOLDS_OBJECT(value) ? g_value_get_object(value) : NULL;
}

static inline bool cgtk_is_a(gconstpointer instance, GType type) {
    return g_type_check_instance_is_a((GTypeInstance *)instance, type);
}

static inline const char *cgtk_type_name(gconstpointer instance) { return G_OBJECT_TYPE_NAME(instance); }

static inline gpointer cgtk_closure_data(const GClosure *closure) { return closure->data; }

// Returns a reference that the caller owns. `release` is called with `data` when the closure becomes invalid.
static inline GClosure *cgtk_closure_new(gpointer data, GClosureMarshal marshal, GClosureNotify release) {
    GClosure *closure = g_closure_new_simple(sizeof(GClosure), data);
    g_closure_set_marshal(closure, marshal);
    g_closure_add_invalidate_notifier(closure, data, release);
    g_closure_ref(closure);
    g_closure_sink(closure);
    return closure;
}

static inline void cgtk_set_accessible_label(GtkWidget *widget, const char *text) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static inline void cgtk_set_accessible_description(GtkWidget *widget, const char *text) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static inline void cgtk_set_accessible_busy(GtkWidget *widget, bool busy) {
    gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_BUSY, (gboolean)busy, -1);
}

static inline void cgtk_set_accessible_hidden(GtkWidget *widget, bool hidden) {
    gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_HIDDEN, (gboolean)hidden, -1);
}

// The role is a property that only a construction sets.
static inline GtkWidget *cgtk_widget_new(GType type, GtkAccessibleRole role) {
    return GTK_WIDGET(g_object_new(type, "accessible-role", role, NULL));
}

static inline void cgtk_emit(gpointer object, const char *signal) { g_signal_emit_by_name(object, signal); }

// The bytes of the C heap in use, for the checks of leaks; 0 if the C library does not count them.
static inline size_t cgtk_heap_in_use(void) {
#ifdef __GLIBC__
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

// Functions of GTK's test backend for accessibility have variable arguments.
static inline bool cgtk_has_accessible_label(GtkWidget *widget, const char *text) {
    char *found = gtk_test_accessible_check_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text);
    g_free(found);
    return found == NULL;
}

static inline void cgtk_use_theme(const char *name, bool is_dark) {
    g_object_set(gtk_settings_get_default(), "gtk-theme-name", name, "gtk-application-prefer-dark-theme",
                 (gboolean)is_dark, NULL);
}
