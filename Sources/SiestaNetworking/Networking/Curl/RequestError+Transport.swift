#if os(Linux) || os(Android)
public import CurlTransport
import Foundation

extension RequestError {
    /// The error of the transport, with libcurl's code and message; nil if the request did not fail in the transport.
    ///
    /// If this property is not nil, ``cause`` is a `URLError` whose code has the same meaning on every platform. The
    /// kind `TransportError.Kind.outcomeUnknown` means that the server may have carried out the request. Before the app
    /// sends such a request again, the app must find out whether the server has carried it out.
    public var transportError: TransportError? {
        (cause as? URLError)?.userInfo[NSUnderlyingErrorKey] as? TransportError
    }
}
#endif
