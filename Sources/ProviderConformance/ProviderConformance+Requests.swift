import Foundation
import LoopbackServer

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The requests that reach the server.
extension ProviderConformance {
    static let requests: [Case] = [
        Case("Every method is sent as it is") { bench in
            let server = try bench.serve { try $0.respond() }
            for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "REPORT"] {
                var request = URLRequest(url: server.url("/\(method)"))
                request.httpMethod = method
                try bench.check("the status", try await bench.answer(request).status, is: 200)
                try bench.check("the method", server.requests.last?.method, is: method)
            }
        },
        Case("Path and query are sent byte for byte") { bench in
            let server = try bench.serve { try $0.respond() }
            for target in ["/", "/a%20b/%2F/c;d=1", "/a/b/?x=1&y=a+b%26&z", "/?q=%E2%82%AC", "/a//b"] {
                _ = try await bench.answer(server.url(target))
                try bench.check("the target", server.requests.last?.target, is: target)
            }
        },
        Case("A fragment stays here") { bench in
            let server = try bench.serve { try $0.respond() }
            _ = try await bench.answer(server.url("/a?b#secret"))
            try bench.check("the target", server.requests.last?.target, is: "/a?b")
        },
        Case("Header fields are sent with their values") { bench in
            let server = try bench.serve { try $0.respond() }
            var request = URLRequest(url: server.url())
            let fields = [
                "X-Plain": "value", "X-Unicode": "caf\u{E9} \u{2615}", "Accept": "text/x", "User-Agent": "me/1",
            ]
            for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
            _ = try await bench.answer(request)
            for (name, value) in fields {
                try bench.check(name, server.requests.last?.headers(name), is: [value])
            }
            try bench.check("Host", server.requests.last?.header("Host"), is: "127.0.0.1:\(server.port)")
        },
        Case("A line break in a header value cannot smuggle in a field or a request") { bench in
            let server = try bench.serve { try $0.respond() }
            var request = URLRequest(url: server.url())
            request.setValue("a\r\nX-Injected: 1\r\n\r\nGET /injected HTTP/1.1\r\n\r\n", forHTTPHeaderField: "X-Bad")
            _ = try await bench.answer(request)
            _ = try await bench.answer(server.url("/after"))
            try bench.check("an injected field", server.requests.first?.header("X-Injected"), is: nil)
            try bench.check(!server.requests.contains { $0.target == "/injected" }, "a request was injected")
        },
        Case("A body in memory arrives whole, with its length") { bench in
            let server = try bench.serve { try $0.respond(text: "\($0.request.body.count)") }
            for count in [1, 1000, 70_000, 3_000_000] {
                let body = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
                for method in ["POST", "PUT", "DELETE"] {
                    var request = URLRequest(url: server.url())
                    request.httpMethod = method
                    request.httpBody = body
                    let answer = try await bench.answer(request)
                    try bench.check("the answer to a \(method) of \(count) bytes", answer.text, is: "\(count)")
                    let received = server.requests.last
                    try bench.check(received?.body == body, "the body of a \(method) was not what was given")
                    try bench.check("Content-Length", received?.headers("Content-Length"), is: ["\(count)"])
                    try bench.check("Transfer-Encoding", received?.headers("Transfer-Encoding"), is: [])
                }
            }
        },
        Case("A GET request without a body announces none") { bench in
            let server = try bench.serve { try $0.respond() }
            _ = try await bench.answer(server.url())
            try bench.check("Content-Length", server.requests.last?.header("Content-Length"), is: nil)
            try bench.check("Transfer-Encoding", server.requests.last?.header("Transfer-Encoding"), is: nil)
            try bench.check("Content-Type", server.requests.last?.header("Content-Type"), is: nil)
        },
        Case("A POST request without a body says so") { bench in
            let server = try bench.serve { try $0.respond() }
            var request = URLRequest(url: server.url())
            request.httpMethod = "POST"
            _ = try await bench.answer(request)
            try bench.check("Content-Length", server.requests.last?.header("Content-Length"), is: "0")
        },
        Case("A stream of unknown length arrives whole") { bench in
            let body = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
            let server = try bench.serve { try $0.respond() }
            var request = URLRequest(url: server.url())
            request.httpMethod = "POST"
            request.httpBodyStream = InputStream(data: body)
            try bench.check("the status", try await bench.answer(request).status, is: 200)
            try bench.check(server.requests.last?.body == body, "the body was not what was given")
        },
        Case("A body is framed in one way only, whatever the headers of the request say") { bench in
            let server = try bench.serve { try $0.respond() }
            var streamed = URLRequest(url: server.url())
            streamed.httpMethod = "POST"
            streamed.httpBodyStream = InputStream(data: Data("12345".utf8))
            streamed.setValue("5", forHTTPHeaderField: "Content-Length")
            try bench.check("the status", try await bench.answer(streamed).status, is: 200)
            let received = server.requests.last
            let framings = ["Content-Length", "Transfer-Encoding"].flatMap { received?.headers($0) ?? [] }
            try bench.check("the number of framings", framings.count, is: 1)
            try bench.check("the body", received?.body, is: Data("12345".utf8))
        },
        Case("An IPv6 address works as a host") { bench in
            let server = try bench.serve(at: .ipv6()) { try $0.respond(text: "six") }
            try bench.check("the body", try await bench.answer(server.url()).text, is: "six")
            try bench.check("Host", server.requests.last?.header("Host"), is: "[::1]:\(server.port)")
        },
        Case("Connections are used again") { bench in
            let server = try bench.serve { try $0.respond(text: "x") }
            for _ in 0..<20 { _ = try await bench.answer(server.url()) }
            try bench.check("the number of connections", server.connectionCount, is: 1)
        },
    ]
}
