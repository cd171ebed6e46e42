#if GTK
// Checks SiestaGTK in real windows. The main function is synchronous, because GTK needs the main thread; the checks are tasks
// of the main actor, which GLib's main loop runs through `MainActorBridge`.
import CGTK
import Foundation
import SiestaGTK

if CommandLine.arguments.contains("--wrong-thread") {
    // `dispatchMain()` moves the main actor to another thread, as an async main function does.
    DispatchQueue.main.async { MainActorBridge.attach() }
    dispatchMain()
}
LogRecorder.install()
guard gtk_init_check() != 0 else { fatalError("There is no display. Run `make desktop-test`, which starts one.") }
MainActorBridge.attach()

let loop = g_main_loop_new(nil, 0)
var status: Int32 = 1
Task {
    status = await CheckRun(CommandLine.arguments.dropFirst()).run()
    g_main_loop_quit(loop)
}
g_main_loop_run(loop)
exit(status)
#else
fatalError("gtk-checks needs the package trait GTK.")
#endif
