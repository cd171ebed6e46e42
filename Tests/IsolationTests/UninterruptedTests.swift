import Foundation
import Isolation
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct UninterruptedTests {
    @Test
    func `a call is repeated only as long as signals interrupt it`() {
        var results = [(-1, EINTR), (-1, EINTR), (-1, EIO), (7, 0)][...]
        let call = {
            let (result, code) = results.removeFirst()
            errno = code
            return result
        }
        #expect(uninterrupted(call) == -1)
        #expect(uninterrupted(call) == 7)
    }
}
