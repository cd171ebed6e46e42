import SiestaCore
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct RequestMethodTests {
    @Test func `There are seven methods, whose raw values are their names in lower case`() {
        #expect(
            RequestMethod.allCases.map(\.rawValue) == ["options", "get", "head", "post", "put", "patch", "delete"])
    }
}
