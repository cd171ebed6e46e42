import Foundation

/// The body of a response as it was received, and the properties of its request that decoding needs.
final class ReceivedBody: Sendable, CustomReflectable {
    let data: Data
    let decoder: ConfiguredDecoder
    private let url: URL?
    let method: String
    private let clock: SiestaClock

    init(data: Data, decoder: ConfiguredDecoder, url: URL?, method: String, clock: SiestaClock) {
        (self.data, self.decoder, self.url, self.method, self.clock) = (data, decoder, url, method, clock)
    }

    var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Returns the error that `make` returns, with the time, the URL and the method of the request.
    func error(_ make: () -> RequestError) -> RequestError {
        var error = clock.whileCalling(make)
        error.setRequest(url, method: method)
        return error
    }
}
