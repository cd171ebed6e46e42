import Foundation
import LoopbackServer

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The results of responses that servers may send.
extension ProviderConformance {
    static let responses: [Case] = [
        Case("Every status with a body is delivered with it") { bench in
            let server = try bench.serve { exchange in
                try exchange.respond(Int(exchange.request.target.dropFirst()) ?? 0, text: "body")
            }
            for status in [200, 201, 202, 203, 206, 226, 299, 300, 400, 402, 407, 416, 499, 501, 505, 599] {
                let answer = try await bench.answer(server.url("/\(status)"))
                try bench.check("the status", answer.status, is: status)
                try bench.check("the body of a \(status)", answer.text, is: "body")
            }
        },
        Case("Responses without a body end with their head, whatever length they announce") { bench in
            let server = try bench.serve { exchange in
                let status = exchange.request.method == "HEAD" ? "200" : exchange.request.target.dropFirst()
                try exchange.send("HTTP/1.1 \(status) X\r\nContent-Length: 100\r\nETag: \"1\"\r\n\r\n")
            }
            for (method, status) in [("GET", 204), ("GET", 304), ("HEAD", 200)] {
                var request = URLRequest(url: server.url("/\(status)"))
                request.httpMethod = method
                let answer = try await bench.answer(request)
                try bench.check("the status", answer.status, is: status)
                try bench.check("the length of the body", answer.data?.count ?? 0, is: 0)
                try bench.check("a header", answer.header("ETag"), is: "\"1\"")
            }
        },
        Case("Interim responses are passed over") { bench in
            let server = try bench.serve { exchange in
                try exchange.send("HTTP/1.1 100 Continue\r\n\r\n")
                let fields = "Link: </x>\r\nETag: \"1\"\r\nCache-Control: max-age=60\r\nAge: 1\r\nLocation: /x\r\n"
                for status in ["102 Processing", "103 Early Hints", "103 Early Hints"] {
                    try exchange.send("HTTP/1.1 \(status)\r\n\(fields)\r\n")
                }
                try exchange.respond(201, headers: ["X-Final: yes"], text: "end")
            }
            let answer = try await bench.answer(server.url())
            try bench.check("the status", answer.status, is: 201)
            try bench.check("the body", answer.text, is: "end")
            try bench.check("a header of the response", answer.header("X-Final"), is: "yes")
            for name in ["Link", "ETag", "Cache-Control", "Age", "Location"] {
                try bench.check("\(name) of an interim response", answer.header(name), is: nil)
            }
        },
        Case("A chunked body is put together") { bench in
            let server = try bench.serve { exchange in
                try exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                for piece in ["1\r\na\r\n", "A;x=y\r\n0123456789\r\n", "0005\r\nvwxyz\r\n", "0\r\n\r\n"] {
                    try exchange.send(piece)
                }
            }
            try bench.check("the body", try await bench.answer(server.url()).text, is: "a0123456789vwxyz")
            try bench.check("the body", try await bench.answer(server.url()).text, is: "a0123456789vwxyz")
            try bench.check("the number of connections", server.connectionCount, is: 1)
        },
        Case("Trailers after a chunked body do no harm") { bench in
            let server = try bench.serve { exchange in
                try exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n")
                try exchange.send("3\r\nabc\r\n0\r\nX-Sum: 6\r\nX-More: y\r\n\r\n")
            }
            let answer = try await bench.answer(server.url())
            try bench.check("the body", answer.text, is: "abc")
            try bench.check("the status", answer.status, is: 200)
        },
        Case("A body without a length ends with the connection, also in HTTP/1.0") { bench in
            for version in ["1.0", "1.1"] {
                let server = try bench.serve(bytes: "HTTP/\(version) 200 OK\r\nConnection: close\r\n\r\nto the end")
                try bench.check("the body", try await bench.answer(server.url()).text, is: "to the end")
            }
        },
        Case("Of a length and a transfer coding, the coding counts") { bench in
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
            let server = try bench.serve(bytes: head + "6\r\nabcdef\r\n0\r\n\r\n")
            try bench.check("the body", try await bench.answer(server.url()).text, is: "abcdef")
        },
        Case("What follows a complete response never answers the next request") { bench in
            let server = try bench.serve { exchange in
                let path = exchange.request.target
                let smuggled = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
                try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)\(smuggled)")
            }
            for path in ["/one", "/two", "/three"] {
                try bench.check("the body", try await bench.answer(server.url(path)).text, is: path)
            }
        },
        Case("A large body arrives byte for byte") { bench in
            let body = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: ($0 &* 7919) >> 5) })
            let server = try bench.serve { try $0.respond(body: body) }
            try bench.check(try await bench.answer(server.url()).data == body, "the body was changed")
        },
        Case("A body that comes byte by byte is put together") { bench in
            let server = try bench.serve { exchange in
                for byte in Data("HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 10\r\n\r\n0123456789".utf8) {
                    try exchange.send(Data([byte]))
                }
            }
            let answer = try await bench.answer(server.url())
            try bench.check("the body", answer.text, is: "0123456789")
            try bench.check("a header", answer.header("X-A"), is: "b")
        },
        Case("A connection that the server closed between two requests is replaced") { bench in
            let server = try bench.serve { exchange in
                try exchange.respond(text: exchange.request.target)
                exchange.close()
            }
            for path in ["/1", "/2", "/3", "/4"] {
                try bench.check("the body", try await bench.answer(server.url(path)).text, is: path)
            }
        },
        Case("A 401 arrives with its body, whatever it challenges with") { bench in
            let server = try bench.serve { exchange in
                let challenge = exchange.request.target.dropFirst().removingPercentEncoding ?? ""
                try exchange.respond(401, headers: ["WWW-Authenticate: \(challenge)"], text: "who are you")
            }
            let digest = "Digest realm=\"x\", nonce=\"1\", qop=\"auth\""
            for challenge in ["Basic realm=\"x\"", digest, "Bearer", "Negotiate", "NTLM", "Basic", "", ",=,"] {
                let escaped = challenge.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                let answer = try await bench.answer(server.url("/\(escaped)"))
                try bench.check("the status for \(challenge)", answer.status, is: 401)
                try bench.check("the body for \(challenge)", answer.text, is: "who are you")
                try bench.check("the challenge", answer.header("WWW-Authenticate"), is: challenge)
            }
        },
        Case("An answer before the end of an upload counts") { bench in
            let server = try LoopbackServer.serving { connection in
                guard var request = connection.head() else { return }
                try connection.send("HTTP/1.1 413 Too Much\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno")
                _ = try connection.readBody(of: &request)
            }
            var request = URLRequest(url: server.url())
            request.httpMethod = "POST"
            request.httpBody = Data(count: 4_000_000)
            let answer = try await bench.answer(request)
            try bench.check("the status", answer.status, is: 413)
            try bench.check("the body", answer.text, is: "no")
        },
    ]

    static let responseHeaders: [Case] = [
        Case("Repeated fields are joined in their order") { bench in
            let headers = ["Via: a", "X-List: 1", "x-list: 2", "X-LIST: 3", "Via: b"]
            let server = try bench.serve { try $0.respond(headers: headers) }
            let answer = try await bench.answer(server.url())
            try bench.check("Via", answer.header("Via"), is: "a, b")
            try bench.check("X-List", answer.header("X-List"), is: "1, 2, 3")
        },
        Case("A field name is found in any case") { bench in
            let server = try bench.serve { try $0.respond(headers: ["x-LOWER-Upper: v", "ETAG: \"1\""]) }
            let answer = try await bench.answer(server.url())
            for name in ["X-Lower-Upper", "x-lower-upper"] {
                try bench.check(name, answer.header(name), is: "v")
            }
            try bench.check("ETag", answer.header("etag"), is: "\"1\"")
        },
        Case("A value that is Latin-1 does not cost the response") { bench in
            let server = try bench.serve(
                bytes: Data("HTTP/1.1 200 OK\r\nX-Name: caf".utf8) + [0xE9]
                    + Data("\r\nContent-Length: 1\r\n\r\nx".utf8))
            let answer = try await bench.answer(server.url())
            try bench.check("the body", answer.text, is: "x")
            try bench.check("the value", answer.header("X-Name"), is: "caf\u{E9}")
        },
        Case("A value that is UTF-8 is read as such") { bench in
            let server = try bench.serve { try $0.respond(headers: ["X-Name: \u{2615} caf\u{E9}"]) }
            try bench.check(
                "the value", try await bench.answer(server.url()).header("X-Name"), is: "\u{2615} caf\u{E9}")
        },
        Case("White space around a value may be missing or more") { bench in
            let server = try bench.serve { try $0.respond(headers: ["X-None:v", "X-More: \t  v \t ", "X-In: a  b"]) }
            let answer = try await bench.answer(server.url())
            try bench.check("X-None", answer.header("X-None"), is: "v")
            try bench.check("X-More", answer.header("X-More"), is: "v")
            try bench.check("X-In", answer.header("X-In"), is: "a  b")
        },
        Case("A value may be empty") { bench in
            let server = try bench.serve { try $0.respond(headers: ["X-Empty:", "X-Blank:  ", "X-After: v"]) }
            let answer = try await bench.answer(server.url())
            try bench.check("X-Empty", answer.header("X-Empty"), is: "")
            try bench.check("X-Blank", answer.header("X-Blank"), is: "")
            try bench.check("X-After", answer.header("X-After"), is: "v")
        },
        Case("A status line needs no reason phrase") { bench in
            for line in ["HTTP/1.1 404 ", "HTTP/1.1 404"] {
                let server = try bench.serve(bytes: "\(line)\r\nContent-Length: 4\r\n\r\nbody")
                let answer = try await bench.answer(server.url())
                try bench.check("the status", answer.status, is: 404)
                try bench.check("the body", answer.text, is: "body")
            }
        },
        Case("A folded line continues the value before") { bench in
            let server = try bench.serve { try $0.respond(headers: ["X-Long: a,\r\n b,\r\n\tc", "X-After: v"]) }
            let answer = try await bench.answer(server.url())
            try bench.check("X-Long", answer.header("X-Long"), is: "a, b, c")
            try bench.check("X-After", answer.header("X-After"), is: "v")
        },
        Case("A long value and many fields are delivered") { bench in
            let long = String(repeating: "v", count: 60_000)
            let many = (0..<500).map { "X-Field-\($0): \($0)" }
            let server = try bench.serve { try $0.respond(headers: ["X-Long: \(long)"] + many) }
            let answer = try await bench.answer(server.url())
            try bench.check("the length of X-Long", answer.header("X-Long")?.count, is: 60_000)
            try bench.check("X-Field-499", answer.header("X-Field-499"), is: "499")
        },
        Case("Headers without end are an error") { bench in
            let server = try bench.serve { exchange in
                try exchange.send("HTTP/1.1 200 OK\r\n")
                let line = "X-Flood: " + String(repeating: "x", count: 1000) + "\r\n"
                while true { try exchange.send(line) }
            }
            let answer = try await bench.answer(server.url())
            try bench.check(answer.error != nil, "there should be an error")
        },
        Case("A NUL in the headers does no harm") { bench in
            let server = try bench.serve(bytes: "HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 1\r\n\r\nx")
            let answer = try await bench.answer(server.url())
            try bench.check(answer.error != nil || answer.text == "x", "the answer is \(answer)")
        },
    ]

    private static let text = String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 20)
    private static let gzipped = """
        H4sIAAAAAAACAwvJSFUoLM1MzlZIKsovz1NIy69QyCrNLShWyC9LLVIoAUrnJFZVKqTkp+sphIwqHlU8qpjaigHmSmawhAMAAA==
        """
    private static let deflated = """
        eNoLyUhVKCzNTM5WSCrKL89TSMuvUMgqzS0oVsgvSy1SKAFK5yRWVSqk5KfrKYSMKh5VPKqY2ooBR6VDHA==
        """

    static let encodings: [Case] = [
        Case("An encoded body is decoded, and the encodings are asked for") { bench in
            for (name, encoded) in [("gzip", gzipped), ("deflate", deflated)] {
                guard let body = Data(base64Encoded: encoded) else { continue }
                let server = try bench.serve { try $0.respond(headers: ["Content-Encoding: \(name)"], body: body) }
                try bench.check("the body of \(name)", try await bench.answer(server.url()).text, is: text)
                let accepted = server.requests.last?.header("Accept-Encoding") ?? ""
                try bench.check(accepted.contains(name), "Accept-Encoding should name \(name), but is \(accepted)")
            }
        },
        Case("The encoding identity changes nothing") { bench in
            let server = try bench.serve { try $0.respond(headers: ["Content-Encoding: identity"], text: "plain") }
            try bench.check("the body", try await bench.answer(server.url()).text, is: "plain")
        },
        Case("A body that is not encoded as it says is an error") { bench in
            let server = try bench.serve {
                try $0.respond(headers: ["Content-Encoding: gzip"], text: "not gzip at all")
            }
            let answer = try await bench.answer(server.url())
            try bench.check(answer, failsWith: .cannotDecodeContentData, .cannotDecodeRawData, .badServerResponse)
        },
        Case("An encoded body that is cut short is an error") { bench in
            guard let body = Data(base64Encoded: gzipped)?.prefix(40) else { return }
            let server = try bench.serve { exchange in
                try exchange.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 74\r\n\r\n")
                try exchange.send(body)
                exchange.close()
            }
            let answer = try await bench.answer(server.url())
            try bench.check(answer, failsWith: .networkConnectionLost, .cannotDecodeContentData)
        },
    ]
}
