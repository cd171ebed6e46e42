#if GTK
import CGTK
import Foundation

/// Screenshots, and their comparison with the reference pictures in the folder References.
@MainActor enum Screenshot {
    static var mustUpdate = false
    static var output = URL(filePath: NSTemporaryDirectory())
}
#endif
