public import Foundation
public import SiestaCore

extension OAuth2 {
    /// Begins an authorization that the user completes on another device: the device authorization grant (RFC 8628).
    /// Use it for televisions, and for tools on machines without a browser.
    ///
    /// Show ``DeviceAuthorization/verificationURL`` and ``DeviceAuthorization/userCode``. The user opens the URL on a
    /// phone or a computer, and enters the code there. Meanwhile, ``DeviceAuthorization/credential(over:)`` waits.
    ///
    /// The token response does not contain the name of the user. For a way to obtain the name, see
    /// ``authorizationFlow(authorizationURL:redirectURL:scopes:parameters:)``.
    ///
    /// - Parameters:
    ///   - url: The device authorization endpoint (RFC 8628 §3.1). The scheme must be `https`, unless the host is this
    ///     machine.
    ///   - scopes: The requested scopes. By default, the server chooses them.
    ///   - network: The service's ``Service/authenticationNetwork``.
    /// - Throws: The errors of ``clientCredentials(scopes:over:)``.
    public func deviceAuthorization(
        at url: URL, scopes: [String] = [], over network: AuthenticationNetwork
    ) async throws(RequestError) -> DeviceAuthorization {
        let request = try TokenRequest(url: url, form: Self.scopeItems(scopes)).urlRequest(client)
        let start = (date: network.now, time: network.clock.monotonicTime)
        let response = try await network.send(request)
        do throws(TokenResponse.Failure) {
            let retryAfter = response.header("Retry-After")
            let codes = try DeviceCodes(status: response.status, body: response.body, retryAfter: retryAfter)
            return DeviceAuthorization(self, codes, requestedAt: start)
        } catch {
            throw error.error
        }
    }

    /// One authorization by the user on another device; see ``OAuth2/deviceAuthorization(at:scopes:over:)``.
    ///
    /// An authorization contains secrets, which its textual description does not show.
    public struct DeviceAuthorization: Sendable {
        /// The code that the user enters at ``verificationURL``.
        public var userCode: String { codes.userCode }

        /// The URL that the user opens on another device. The URL is short, so that the user can type it.
        public var verificationURL: URL { codes.verificationURL }

        /// A URL that contains the ``userCode``, for a QR code; nil if the server has not sent such a URL. Also show
        /// the ``userCode``, so that the user can compare the codes (RFC 8628 §3.3.1).
        public var completeVerificationURL: URL? { codes.completeVerificationURL }

        /// The time at which the codes expire.
        public let expirationDate: Date

        private let oauth: OAuth2
        private let codes: DeviceCodes
        /// The monotonic time at which the codes expire.
        private let end: TimeInterval

        init(_ oauth: OAuth2, _ codes: DeviceCodes, requestedAt start: (date: Date, time: TimeInterval)) {
            (self.oauth, self.codes) = (oauth, codes)
            (expirationDate, end) = (start.date.addingTimeInterval(codes.lifetime), start.time + codes.lifetime)
        }

        /// Waits until the user has completed the authorization, and returns the credential.
        ///
        /// The function polls the token endpoint at the interval that the server has specified, 5 seconds by default.
        /// If the server asks the client to slow down, the interval increases by 5 seconds. If the network or the
        /// server fails, the interval doubles, up to one minute (RFC 8628 §3.5). Such a failure does not end the wait.
        ///
        /// If the task is cancelled, the wait ends at once.
        ///
        /// - Parameter network: The service's ``Service/authenticationNetwork``.
        /// - Throws: A ``RequestError``. The code is ``RequestError/Code/authorizationRefused`` if the user has refused
        ///   (``RequestError/Failure/name`` is `access_denied`), or if the codes have expired (`expired_token`). The
        ///   code is ``RequestError/Code/cancelled`` if the task is cancelled. In all other cases, the error has one of
        ///   the codes of ``OAuth2/clientCredentials(scopes:over:)``.
        public func credential(over network: AuthenticationNetwork) async throws(RequestError) -> Credential {
            let form = [
                ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", codes.deviceCode),
            ]
            var polling = DevicePolling(interval: codes.interval)
            while case let rest = end - network.clock.monotonicTime, rest > 0 {
                try await network.wait(min(polling.interval, rest))
                guard network.clock.monotonicTime < end else { break }
                let result: Result<Credential, TokenResponse.Failure>
                do throws(RequestError) {
                    result = try await oauth.requestCredential(form, replacing: nil, over: network)
                } catch {
                    // Every other error is a failure of the network.
                    if error.isCancellation || error.code == .insecureAddress { throw error }
                    polling.slowDownAfterFailure()
                    continue
                }
                switch result {
                case .success(let credential): return credential
                case .failure(let failure): guard polling.continues(after: failure) else { throw failure.error }
                }
            }
            throw TokenResponse.Failure.refused("expired_token", status: 400).error
        }
    }
}

extension AuthenticationNetwork {
    /// Waits for a time in seconds, by the clock of the service.
    ///
    /// - Throws: The error of a cancelled request as soon as the task is cancelled.
    fileprivate func wait(_ seconds: TimeInterval) async throws(RequestError) {
        let (ends, end) = AsyncStream<Void>.makeStream()
        clock.schedule(after: seconds) { end.finish() }
        for await _ in ends {}
        if Task.isCancelled { throw .cancelled() }
    }
}
