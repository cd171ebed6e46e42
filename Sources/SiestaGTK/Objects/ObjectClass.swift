#if GTK
import CGTK

/// Subclasses of GObject that are written in Swift, and the Swift objects behind their instances.
@MainActor enum ObjectClass {
    private static let peerKey = g_quark_from_static_string("siesta-peer")

    /// Registers a subclass without instance data of its own.
    ///
    /// - Parameter name: The name, unique in the process; GObject has one name space for all types.
    static func register(_ name: StaticString, parent: GType, _ initialize: @escaping GClassInitFunc) -> GType {
        var query = GTypeQuery()
        g_type_query(parent, &query)
        var info = GTypeInfo()
        info.class_size = guint16(query.class_size)
        info.class_init = initialize
        info.instance_size = guint16(query.instance_size)
        return name.withUTF8Buffer {
            g_type_register_static(
                parent, $0.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }, &info,
                GTypeFlags(0))
        }
    }

    /// Sets the Swift object behind an instance, which the instance keeps until it is freed.
    static func setPeer(_ peer: AnyObject, of instance: UnsafeMutableRawPointer) {
        let release: GDestroyNotify = { peer in peer.map { Unmanaged<AnyObject>.fromOpaque($0).release() } }
        g_object_set_qdata_full(object(instance), peerKey, Unmanaged.passRetained(peer).toOpaque(), release)
    }

    /// Returns the Swift object behind an instance.
    static func peer<Peer: AnyObject>(of instance: UnsafeMutableRawPointer, as _: Peer.Type = Peer.self) -> Peer? {
        g_object_get_qdata(object(instance), peerKey).flatMap {
            Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() as? Peer
        }
    }

    private static func object(_ instance: UnsafeMutableRawPointer) -> UnsafeMutablePointer<GObject> {
        instance.assumingMemoryBound(to: GObject.self)
    }
}
#endif
