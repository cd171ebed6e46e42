import Isolation
import SiestaCore
import TestKit
import Testing

@testable import SiestaInspector

extension OneByOne {
    @Suite(.timeLimit(.test))
    struct LogTapTests {
        @Test func `messages reach the subscriber, and the app only those that it has enabled`() {
            let (seen, own) = (Locked<[String]>([]), Locked<[String]>([]))
            let (handler, enabled) = (SiestaLog.messageHandler, SiestaLog.Category.enabled)
            defer { (SiestaLog.messageHandler, SiestaLog.Category.enabled) = (handler, enabled) }
            SiestaLog.messageHandler = { _, text in own.withLock { $0.append(text) } }
            SiestaLog.Category.enabled = [.cache]
            do {
                let subscription = LogTap.shared.subscribe(to: [.configuration]) { _, text in
                    seen.withLock { $0.append(text) }
                }
                SiestaLog.log(.cache, ["log tap: both"])
                SiestaLog.log(.configuration, ["log tap: page"])
                extendLifetime(subscription)
            }
            SiestaLog.log(.cache, ["log tap: app"])
            #expect(seen.withLock { $0.filter { $0.hasPrefix("log tap") } } == ["log tap: both", "log tap: page"])
            #expect(own.withLock { $0.filter { $0.hasPrefix("log tap") } } == ["log tap: both", "log tap: app"])
            #expect(SiestaLog.Category.enabled == [.cache])
        }
    }
}
