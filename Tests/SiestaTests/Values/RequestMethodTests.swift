import Siesta
import Testing

@Suite(.timeLimit(.minutes(30)))
struct RequestMethodTests {
    @Test func `There are seven methods, whose raw values are their names in lower case`() {
        #expect(
            RequestMethod.allCases.map(\.rawValue) == ["options", "get", "head", "post", "put", "patch", "delete"])
    }
}
