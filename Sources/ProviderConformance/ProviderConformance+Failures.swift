import Foundation
import LoopbackServer

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Failures of networks and servers, and the errors that a provider must report.
extension ProviderConformance {
    private static let cutHeads = [
        "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Type: text/pl", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n",
    ]

    private static let cutBodies = [
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    ]

    private static let badAnswers = [
        "hello\r\n\r\n", "\0\0\0\0\0\0\0\0\0\0\0\0", "HTTQ/1.1 200 OK\r\n\r\n", "<html>500</html>\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
    ]

    static let failures: [Case] = [
        Case("A connection that ends without an answer is an error") { bench in
            let server = try bench.serve(bytes: "")
            try bench.check(try await bench.answer(server.url()), failsWith: .networkConnectionLost)
        },
        Case("A connection that ends within the head is an error") { bench in
            for bytes in cutHeads {
                let server = try bench.serve(bytes: bytes)
                let answer = try await bench.answer(server.url())
                try bench.check(answer, failsWith: .networkConnectionLost, .badServerResponse)
            }
        },
        Case("A connection that ends within the body is an error, not a response") { bench in
            for bytes in cutBodies {
                let server = try bench.serve(bytes: bytes)
                try bench.check(try await bench.answer(server.url()), failsWith: .networkConnectionLost)
            }
        },
        Case("A reset is an error, wherever it comes") { bench in
            for bytes in [""] + cutHeads + cutBodies {
                let server = try LoopbackServer.serving { connection in
                    _ = connection.head()
                    try connection.send(bytes)
                    connection.reset()
                }
                let answer = try await bench.answer(server.url())
                try bench.check(answer, failsWith: .networkConnectionLost, .badServerResponse)
            }
        },
        Case("A reset while connecting is an error") { bench in
            let server = try LoopbackServer.serving { $0.reset() }
            let answer = try await bench.answer(server.url())
            try bench.check(answer, failsWith: .networkConnectionLost, .cannotConnectToHost)
        },
        Case("What is not HTTP is an error") { bench in
            for bytes in badAnswers {
                let answer = try await bench.answer(try bench.serve(bytes: bytes).url())
                try bench.check(answer, failsWith: .badServerResponse, .networkConnectionLost, .cannotParseResponse)
            }
        },
        Case("A megabyte of garbage is an error") { bench in
            let garbage = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) })
            let server = try bench.serve(bytes: garbage)
            let answer = try await bench.answer(server.url())
            try bench.check(answer, failsWith: .badServerResponse, .networkConnectionLost, .cannotParseResponse)
        },
        Case("Two different lengths are not both believed") { bench in
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 6\r\n\r\n"
            let answer = try await bench.answer(try bench.serve(bytes: head + "abcdef").url())
            let isPlausible = answer.error != nil || answer.text == "abc" || answer.text == "abcdef"
            try bench.check(isPlausible, "the answer is \(answer)")
        },
        Case("A length that is no number does not cost more than the response") { bench in
            for length in ["-1", "abc", "99999999999999999999999", "1e3"] {
                let server = try bench.serve(bytes: "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nabc")
                let answer = try await bench.answer(server.url())
                let isPlausible = answer.error != nil || "abc".hasPrefix(answer.text)
                try bench.check(isPlausible, "for \(length), the answer is \(answer)")
            }
        },
        Case("A length that promises terabytes takes no memory") { bench in
            let server = try bench.serve(bytes: "HTTP/1.1 200 OK\r\nContent-Length: 9000000000000\r\n\r\nabc")
            let answer = try await bench.answer(server.url())
            try bench.check(answer, failsWith: .dataLengthExceedsMaximum, .networkConnectionLost)
        },
        Case("A port at which nobody listens is an error") { bench in
            let socket = try Socket.refusing()
            guard let url = URL(string: "http://127.0.0.1:\(try socket.port)/") else { return }
            try bench.check(try await bench.answer(url), failsWith: .cannotConnectToHost)
        },
        Case("A name that does not exist is an error") { bench in
            // The name is too long for a name server, so none is asked.
            guard let url = URL(string: "http://\(String(repeating: "a", count: 64)).invalid/") else { return }
            try bench.check(try await bench.answer(url), failsWith: .cannotFindHost, .dnsLookupFailed)
        },
        Case("A URL that HTTP cannot load is an error") { bench in
            for text in ["nothing://127.0.0.1/", "file:///etc/hostname", "/relative", "http://"] {
                guard let url = URL(string: text) else { continue }
                let answer = try await bench.answer(url)
                try bench.check(answer.error != nil, "\(text) should be an error, but the answer is \(answer)")
            }
        },
        Case("A server that does not speak TLS is an error") { bench in
            let server = try LoopbackServer.serving { connection in
                _ = connection.receive()
                try connection.send("HTTP/1.1 400 Not TLS\r\n\r\n")
            }
            guard let url = URL(string: "https://127.0.0.1:\(server.port)/") else { return }
            try bench.check(try await bench.answer(url), failsWith: .secureConnectionFailed)
        },
    ]

    static let timeouts: [Case] = [
        Case("A server that says nothing for the time-out of the request is an error") { bench in
            let server = try LoopbackServer.serving { $0.waitForDisconnect() }
            try await checkTimeout(of: server.url(), on: bench)
        },
        Case("A server that stops in the middle of the head is an error") { bench in
            let server = try LoopbackServer.serving { connection in
                try connection.send("HTTP/1.1 200 OK\r\nContent-")
                connection.waitForDisconnect()
            }
            try await checkTimeout(of: server.url(), on: bench)
        },
        Case("A server that stops in the middle of the body is an error") { bench in
            let server = try LoopbackServer.serving { connection in
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
                connection.waitForDisconnect()
            }
            try await checkTimeout(of: server.url(), on: bench)
        },
        Case("A server that does not read the body is an error") { bench in
            let server = try LoopbackServer.serving { $0.waitForStop() }
            defer { server.stop() }
            var request = URLRequest(url: server.url())
            request.httpMethod = "POST"
            request.httpBody = Data(count: 30_000_000)
            request.timeoutInterval = 1
            try bench.check(try await bench.answer(request), failsWith: .timedOut)
        },
        Case("The time-out is for silence, not for the whole") { bench in
            let server = try bench.serve { exchange in
                try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n")
                for byte in Data("01234567".utf8) {
                    try exchange.connection.pause(.milliseconds(300))
                    try exchange.send(Data([byte]))
                }
            }
            var request = URLRequest(url: server.url())
            request.timeoutInterval = 1
            try bench.check("the body", try await bench.answer(request).text, is: "01234567")
        },
        Case("A time-out without end is one") { bench in
            let server = try bench.serve { try $0.respond(text: "x") }
            for seconds in [TimeInterval.infinity, .greatestFiniteMagnitude] {
                var request = URLRequest(url: server.url())
                request.timeoutInterval = seconds
                try bench.check("the body", try await bench.answer(request).text, is: "x")
            }
        },
    ]

    @MainActor
    private static func checkTimeout(of url: URL, on bench: ConformanceBench) async throws {
        var request = URLRequest(url: url)
        request.timeoutInterval = 1
        try bench.check(try await bench.answer(request), failsWith: .timedOut)
    }
}
