import Foundation
import LoopbackServer
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Redirects (RFC 9110, section 15.4).
extension ProviderConformance {
    /// The effect of a redirect on a request.
    private struct MethodRule {
        let status: Int
        let method: String
        let next: String
        let keepsBody: Bool
    }

    private static let methodRules = [
        MethodRule(status: 301, method: "GET", next: "GET", keepsBody: false),
        MethodRule(status: 302, method: "HEAD", next: "HEAD", keepsBody: false),
        MethodRule(status: 301, method: "POST", next: "GET", keepsBody: false),
        MethodRule(status: 302, method: "POST", next: "GET", keepsBody: false),
        MethodRule(status: 303, method: "POST", next: "GET", keepsBody: false),
        MethodRule(status: 303, method: "PUT", next: "GET", keepsBody: false),
        MethodRule(status: 303, method: "HEAD", next: "HEAD", keepsBody: false),
        MethodRule(status: 301, method: "PUT", next: "PUT", keepsBody: true),
        MethodRule(status: 307, method: "POST", next: "POST", keepsBody: true),
        MethodRule(status: 308, method: "POST", next: "POST", keepsBody: true),
        MethodRule(status: 307, method: "PATCH", next: "PATCH", keepsBody: true),
    ]

    /// RFC 3986, section 5.4, for the base `/b/c/d;p?q`, without the references that leave the server.
    private static let references = [
        ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"), ("g?y", "/b/c/g?y"),
        ("g#s", "/b/c/g"), ("g?y#s", "/b/c/g?y"), (";x", "/b/c/;x"), ("g;x", "/b/c/g;x"), ("g;x?y#s", "/b/c/g;x?y"),
        (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../", "/b/"), ("../g", "/b/g"), ("../..", "/"),
        ("../../", "/"), ("../../g", "/g"), ("../../../g", "/g"), ("../../../../g", "/g"), ("/./g", "/g"),
        ("/../g", "/g"), ("g.", "/b/c/g."), (".g", "/b/c/.g"), ("g..", "/b/c/g.."), ("..g", "/b/c/..g"),
        ("./../g", "/b/g"), ("./g/.", "/b/c/g/"), ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"),
        ("g;x=1/./y", "/b/c/g;x=1/y"), ("g;x=1/../y", "/b/c/y"), ("g?y/./x", "/b/c/g?y/./x"),
        ("g?y/../x", "/b/c/g?y/../x"),
    ]

    static let redirects: [Case] = [
        Case("A redirect keeps or changes method and body as its status says") { bench in
            let server = try bench.serve { exchange in
                let status = Int(exchange.request.target.dropFirst()) ?? 200
                try exchange.respond(status, headers: status == 200 ? [] : ["Location: /end"])
            }
            for rule in methodRules {
                var request = URLRequest(url: server.url("/\(rule.status)"))
                request.httpMethod = rule.method
                if !["GET", "HEAD"].contains(rule.method) {
                    request.httpBody = Data("body".utf8)
                    request.setValue("text/x", forHTTPHeaderField: "Content-Type")
                }
                let what = "a \(rule.status) of \(rule.method)"
                try bench.check("the status after \(what)", try await bench.answer(request).status, is: 200)
                let last = server.requests.last
                try bench.check("the target after \(what)", last?.target, is: "/end")
                try bench.check("the method after \(what)", last?.method, is: rule.next)
                try bench.check("the body after \(what)", last?.body, is: Data((rule.keepsBody ? "body" : "").utf8))
                let type = rule.keepsBody ? "text/x" : nil
                try bench.check("Content-Type after \(what)", last?.header("Content-Type"), is: type)
            }
        },
        Case("A Location is relative to where it came from") { bench in
            let server = try bench.serve { exchange in
                let target = exchange.request.target
                let reference = exchange.request.header("X-Reference") ?? ""
                let isFirst = target == "/b/c/d;p?q"
                try exchange.respond(isFirst ? 302 : 200, headers: isFirst ? ["Location: \(reference)"] : [])
            }
            let base = server.url("/b/c/d;p?q")
            let absolute = "//127.0.0.1:\(server.port)/g"
            for (reference, target) in references + [(absolute, "/g"), ("http:\(absolute)", "/g")] {
                var request = URLRequest(url: base)
                request.setValue(reference, forHTTPHeaderField: "X-Reference")
                try bench.check("the status for \(reference)", try await bench.answer(request).status, is: 200)
                try bench.check("the target for \(reference)", server.requests.last?.target, is: target)
            }
        },
        Case("The response tells the URL that it came from") { bench in
            let server = try bench.serve { exchange in
                let isEnd = exchange.request.target == "/end"
                try exchange.respond(isEnd ? 200 : 301, headers: isEnd ? [] : ["Location: /end"])
            }
            let answer = try await bench.answer(server.url("/start"))
            try bench.check("the URL", answer.response?.url?.absoluteString, is: server.url("/end").absoluteString)
        },
        Case("The headers of a request stay with its origin, but for those that can be no secret") { bench in
            let other = try bench.serve { try $0.respond(text: "other") }
            let elsewhere = other.url("/there").absoluteString
            let server = try bench.serve { exchange in
                let target = exchange.request.target == "/start" ? "/again" : elsewhere
                try exchange.respond(302, headers: ["Location: \(target)"])
            }
            var request = URLRequest(url: server.url("/start"))
            let secrets = [
                "Authorization": "Bearer s", "Cookie": "s=1", "Proxy-Authorization": "Basic s", "X-Access-Token": "s",
                "X-Other": "s", "Referer": "http://s.test/",
            ]
            let harmless = ["Accept-Language": "en", "User-Agent": "test", "Range": "bytes=0-9"]
            for (name, value) in secrets.merging(harmless, uniquingKeysWith: { first, _ in first }) {
                request.setValue(value, forHTTPHeaderField: name)
            }
            try bench.check("the body", try await bench.answer(request).text, is: "other")
            for name in ["Authorization", "Cookie", "X-Access-Token", "X-Other"] {
                let kept = server.requests.map { $0.header(name) }
                try bench.check("\(name) for its own origin", kept, is: [secrets[name], secrets[name]])
            }
            for name in secrets.keys {
                try bench.check("\(name) for the other origin", other.requests.first?.header(name), is: nil)
            }
            for (name, value) in harmless {
                try bench.check("\(name) for the other origin", other.requests.first?.header(name), is: value)
            }
        },
        Case("A secret that one hop dropped does not come back") { bench in
            let origin = Origin()
            let other = try bench.serve { try $0.respond(302, headers: ["Location: \(origin.url)"]) }
            let elsewhere = other.url("/there").absoluteString
            let server = try bench.serve { exchange in
                let isStart = exchange.request.target == "/start"
                try exchange.respond(isStart ? 302 : 200, headers: isStart ? ["Location: \(elsewhere)"] : [])
            }
            origin.url = server.url("/back").absoluteString
            var request = URLRequest(url: server.url("/start"))
            request.setValue("Bearer s", forHTTPHeaderField: "Authorization")
            try bench.check("the status", try await bench.answer(request).status, is: 200)
            let received = server.requests.map { $0.header("Authorization") }
            try bench.check("Authorization at the origin", received, is: ["Bearer s", nil])
        },
        Case("Twenty redirects are followed, a loop is an error") { bench in
            let server = try bench.serve { exchange in
                let left = Int(exchange.request.target.dropFirst()) ?? 0
                if left == 0 { return try exchange.respond(text: "end") }
                try exchange.respond(302, headers: ["Location: /\(left == 99 ? 99 : left - 1)"])
            }
            try bench.check("the body", try await bench.answer(server.url("/20")).text, is: "end")
            try bench.check(try await bench.answer(server.url("/99")), failsWith: .httpTooManyRedirects)
            try bench.check("the number of requests", server.requests.count, is: 42)
        },
        Case("A redirect that cannot be followed is the answer") { bench in
            let locations = [
                nil, "", "ftp://127.0.0.1/x", "file:///etc/passwd", "javascript:alert(1)", "http://",
                "http://u:p@127.0.0.1/",
            ]
            let server = try bench.serve { exchange in
                let index = Int(exchange.request.target.dropFirst()) ?? 0
                try exchange.respond(302, headers: locations[index].map { ["Location: \($0)"] } ?? [], text: "moved")
            }
            for index in locations.indices {
                let answer = try await bench.answer(server.url("/\(index)"))
                try bench.check("the status for \(locations[index] ?? "none")", answer.status, is: 302)
            }
            try bench.check("the number of requests", server.requests.count, is: locations.count)
        },
        Case("A 304 and a 300 with a Location are answers") { bench in
            let server = try bench.serve { exchange in
                let status = Int(exchange.request.target.dropFirst()) ?? 200
                try exchange.respond(status, headers: ["Location: /200"])
            }
            for status in [300, 304] {
                try bench.check("the status", try await bench.answer(server.url("/\(status)")).status, is: status)
            }
        },
        Case("A redirect to an IPv6 address is followed") { bench in
            let other = try bench.serve(at: .ipv6()) { try $0.respond(text: "six") }
            for location in ["http://[::1]:\(other.port)/", "//[::1]:\(other.port)/x"] {
                let server = try bench.serve { try $0.respond(302, headers: ["Location: \(location)"]) }
                try bench.check("the body after \(location)", try await bench.answer(server.url()).text, is: "six")
            }
        },
        Case("The body of a redirect is not part of the answer") { bench in
            let server = try bench.serve { exchange in
                let isEnd = exchange.request.target == "/end"
                let headers = isEnd ? [] : ["Location: /end"]
                try exchange.respond(isEnd ? 200 : 302, headers: headers, text: isEnd ? "end" : "moved")
            }
            let asked = bench.ask(URLRequest(url: server.url()))
            try bench.check("the body", try await asked.answer().text, is: "end")
            try bench.check("the bytes", asked.networking.transferMetrics.responseBytesReceived, is: 3)
        },
    ]

    /// A URL that a script needs before the test knows it.
    private final class Origin: @unchecked Sendable {  // sound: written before the first request, read after
        var url = ""
    }
}
