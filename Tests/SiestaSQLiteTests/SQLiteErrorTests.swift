#if SQLite
import Foundation
import TestKit
import Testing

@testable import SiestaSQLite

@Suite(.timeLimit(.test))
struct SQLiteErrorTests {
    @Test func `The words of a damaged database cannot forge a line`() {
        let error = SQLiteError(code: 11, "malformed schema (a\n[Siesta:cache] forged\u{1B}[31m)", path: "/a\u{202E}")
        for text in [error.localizedDescription, "\(error)", String(reflecting: error)] {
            #expect(text == #"/a\u{202E}: malformed schema (a\n[Siesta:cache] forged\u{1B}[31m) (11)"#)
        }
    }
}
#endif
