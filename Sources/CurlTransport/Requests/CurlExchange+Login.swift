#if os(Linux) || os(Android)
import CCurl
import Foundation
import Synchronization

/// The exchange of a request with a login. libcurl sends the request a second time after a challenge of the server.
extension CurlExchange {
    /// Prepares the exchange for the second request, which libcurl is about to send.
    ///
    /// The server has refused the first request. Therefore the second request is not a repetition.
    func answerChallenge(through handle: EasyHandle) {
        state.answerChallenge()
        handle.sends = 0
        hasStoppedReading = false
        timers.awaitsSource = false
        timers.resume(now: handle.loop.now)
    }

    /// Begins the response with the head of a challenge, because libcurl cannot answer it.
    func deliverChallenge(through handle: EasyHandle) {
        guard state.mayBeChallenge else { return }
        state.deliverChallenge()
        beginResponse(through: handle)
    }

    /// Goes back to the start of a source, because libcurl sends the body again. Returns false if this is impossible.
    func rewindForLogin() -> Bool {
        guard state.request.body.canBeSentAgain else {
            let error = UnrepeatableSource()
            state.failure = TransportError(.bodySource, "The body source failed: \(error)", underlyingError: error)
            return false
        }
        stopUpload()
        sent.store(0, ordering: .relaxed)
        timers.hasReadSource = false
        timers.awaitsSource = false
        do throws(TransportError) {
            try reopenSource()
            return true
        } catch {
            state.failure = error
            return false
        }
    }

    private func reopenSource() throws(TransportError) {
        switch state.request.body {
        case .file(let url):
            let file = try FileSource(url)
            guard file.length == sentTotal.load(ordering: .relaxed) else {
                throw TransportError(.bodySource, "The length of the file has changed")
            }
            open(file, length: file.length, rewinding: false)
        case .stream(let source, let length): open(source, length: length, rewinding: true)
        case .none, .data: break
        }
    }
}
#endif
