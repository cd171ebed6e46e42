import TestKit
import Testing

/// One terminal can be open in a process, so these run one after the other.
@Suite("The terminal of the process", .serialized, .timeLimit(.test))
enum DeviceTests {}
