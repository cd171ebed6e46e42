#if os(Linux)
public import CurlTransport
import Foundation

extension RequestError {
    /// What the transport found, with libcurl's code and words, if that is where the request failed.
    ///
    /// ``cause`` is a `URLError` then, with the code that stands for the same failure on every platform. The kind
    /// `TransportError.Kind.outcomeUnknown` means that the server may have carried out the request: before an app sends
    /// it again, it has to find out.
    public var transportError: TransportError? {
        (cause as? URLError)?.userInfo[NSUnderlyingErrorKey] as? TransportError
    }
}
#endif
