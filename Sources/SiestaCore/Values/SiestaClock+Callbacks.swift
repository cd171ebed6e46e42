import SiestaNetworking

extension SiestaClock {
    /// Calls code of the app with this clock as the current clock, as ``whileCurrent(_:)`` does. A closure of the main actor that is an
    /// argument for another module checks each time that it runs on the main actor; this function is in the module of its callers.
    @inline(__always)
    func whileCalling<Result>(_ callback: () -> Result) -> Result {
        isCurrent ? callback() : whileCurrent(callback)
    }
}
