package import Foundation
package import LoopbackServer

/// An answer of a ``SampleServer`` to one request.
package struct SampleAnswer: Sendable {
    let script: LoopbackServer.Script

    /// An answer that a script sends.
    package static func script(_ script: @escaping LoopbackServer.Script) -> SampleAnswer {
        SampleAnswer(script: script)
    }

    /// JSON, with these headers, such as `ETag: "1"`.
    package static func json(_ body: String, status: Int = 200, headers: [String] = []) -> SampleAnswer {
        SampleAnswer { try $0.respond(status, headers: ["Content-Type: application/json"] + headers, text: body) }
    }

    /// Plain text.
    package static func text(_ body: String) -> SampleAnswer {
        SampleAnswer { try $0.respond(headers: ["Content-Type: text/plain"], text: body) }
    }

    /// Bytes of no known format.
    package static func bytes(_ body: Data) -> SampleAnswer {
        SampleAnswer { try $0.respond(headers: ["Content-Type: application/octet-stream"], body: body) }
    }

    /// A response without a body.
    package static func status(_ status: Int) -> SampleAnswer {
        SampleAnswer { try $0.respond(status) }
    }

    /// No response: the connection ends.
    package static let failure = SampleAnswer { $0.close() }
}
