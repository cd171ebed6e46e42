#if os(Linux)
import Testing

@testable import CurlTransport
#endif
