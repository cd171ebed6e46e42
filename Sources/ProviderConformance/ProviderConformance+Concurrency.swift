import Foundation
import LoopbackServer
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ProviderConformance {
    static let cancellation: [Case] = [
        Case("Cancelling at once ends the request") { bench in
            let server = try bench.serve { try $0.respond() }
            let asked = bench.ask(URLRequest(url: server.url()))
            asked.networking.cancel()
            let answer = try await asked.answer()
            if answer.error != nil { try bench.check(answer, failsWith: .cancelled) }
        },
        Case("Cancelling while connecting ends the request") { bench in
            let port = try FullPort()
            guard let url = URL(string: "http://127.0.0.1:\(port.port)/") else { return }
            let asked = bench.ask(URLRequest(url: url))
            try await port.waitForAttempt()
            asked.networking.cancel()
            try bench.check(try await asked.answer(), failsWith: .cancelled)
        },
        Case("Cancelling while the server thinks ends the request and its connection") { bench in
            let (arrived, closed) = (Gate(), Gate())
            let server = try bench.serve { exchange in
                arrived.open()
                exchange.waitForDisconnect()
                closed.open()
            }
            let asked = bench.ask(URLRequest(url: server.url()))
            try await bench.wait(for: arrived, "the request")
            asked.networking.cancel()
            try bench.check(try await asked.answer(), failsWith: .cancelled)
            try await bench.wait(for: closed, "closing the connection")
        },
        Case("Cancelling in the middle of the body ends the request and its connection", needsProgress: true) { bench in
            let closed = Gate()
            let server = try bench.serve { exchange in
                try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nabc")
                exchange.waitForDisconnect()
                closed.open()
            }
            let asked = bench.ask(URLRequest(url: server.url()))
            _ = try await asked.metrics("the first bytes") { $0.responseBytesReceived == 3 }
            asked.networking.cancel()
            try bench.check(try await asked.answer(), failsWith: .cancelled)
            try await bench.wait(for: closed, "closing the connection")
        },
        Case("Cancelling after the server has sent a part of the body ends the request and its connection") { bench in
            let (isSent, closed) = (Gate(), Gate())
            let server = try bench.serve { exchange in
                try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nabc")
                isSent.open()
                exchange.waitForDisconnect()
                closed.open()
            }
            let asked = bench.ask(URLRequest(url: server.url()))
            try await bench.wait(for: isSent, "the first bytes")
            asked.networking.cancel()
            try bench.check(try await asked.answer(), failsWith: .cancelled)
            try await bench.wait(for: closed, "closing the connection")
        },
        Case("Cancelling while the server does not read the body ends the request") { bench in
            let arrived = Gate()
            let server = try LoopbackServer.serving { connection in
                _ = connection.head()
                arrived.open()
                connection.waitForStop()
            }
            defer { server.stop() }
            var request = URLRequest(url: server.url())
            request.httpMethod = "PUT"
            request.httpBody = Data(count: 30_000_000)
            let asked = bench.ask(request)
            try await bench.wait(for: arrived, "the head")
            asked.networking.cancel()
            try bench.check(try await asked.answer(), failsWith: .cancelled)
        },
        Case("Cancelling in the middle of an upload ends the request", needsProgress: true) { bench in
            let server = try LoopbackServer.serving { connection in
                _ = connection.head()
                connection.waitForStop()
            }
            defer { server.stop() }
            var request = URLRequest(url: server.url())
            request.httpMethod = "PUT"
            request.httpBody = Data(count: 30_000_000)
            let asked = bench.ask(request)
            _ = try await asked.metrics("the first bytes") { $0.requestBytesSent > 0 }
            asked.networking.cancel()
            try bench.check(try await asked.answer(), failsWith: .cancelled)
        },
        Case("Hundreds of cancels at any moment complete each request once") { bench in
            let server = try bench.serve { try $0.respond(text: String(repeating: "x", count: 20_000)) }
            for round in 0..<10 {
                let requests = (0..<40).map { bench.ask(URLRequest(url: server.url("/\(round)/\($0)"))) }
                for (index, request) in requests.enumerated() where index % 3 != 0 {
                    if index % 3 == 1 { await Task.yield() }
                    request.networking.cancel()
                }
                for (index, request) in requests.enumerated() {
                    let answer = try await request.answer()
                    if answer.error != nil {
                        try bench.check(answer, failsWith: .cancelled)
                        try bench.check(index % 3 != 0, "a request failed that was not cancelled")
                    }
                }
            }
        },
    ]

    static let concurrency: [Case] = [
        Case("Hundreds of requests at once each get their own answer") { bench in
            let server = try bench.serve { exchange in
                try exchange.respond(headers: ["X-Path: \(exchange.request.target)"], body: exchange.request.body)
            }
            let requests = (0..<400).map { index in
                var request = URLRequest(url: server.url("/\(index)"))
                request.httpMethod = "POST"
                request.httpBody = Data(repeating: UInt8(index & 0xFF), count: 1 + index * 37 % 5000)
                return bench.ask(request)
            }
            for (index, request) in requests.enumerated() {
                let answer = try await request.answer()
                try bench.check("the status", answer.status, is: 200)
                try bench.check("the path", answer.header("X-Path"), is: "/\(index)")
                let body = Data(repeating: UInt8(index & 0xFF), count: 1 + index * 37 % 5000)
                try bench.check(answer.data == body, "request \(index) got the body of another")
            }
        },
        Case("A slow server does not hold up another one") { bench in
            let slow = try LoopbackServer.serving { $0.waitForDisconnect() }
            defer { slow.stop() }
            let fast = try bench.serve { try $0.respond(text: "fast") }
            let waiting = (0..<30).map { bench.ask(URLRequest(url: slow.url("/\($0)"))) }
            for _ in 0..<30 {
                try bench.check("the body", try await bench.answer(fast.url()).text, is: "fast")
            }
            for request in waiting {
                request.networking.cancel()
                try bench.check(try await request.answer(), failsWith: .cancelled)
            }
        },
        Case("Bytes received are counted while they come, against the length", needsProgress: true) { bench in
            let proceed = Gate()
            let server = try bench.serve { exchange in
                try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n")
                try exchange.send(Data(count: 100_000))
                try exchange.wait(for: proceed)
                try exchange.send(Data(count: 100_000))
            }
            let asked = bench.ask(URLRequest(url: server.url()))
            let half = try await asked.metrics("half of the body") { $0.responseBytesReceived == 100_000 }
            try bench.check("the total", half.responseBytesTotal, is: 200_000)
            proceed.open()
            _ = try await asked.answer()
            try bench.check("the bytes", asked.networking.transferMetrics.responseBytesReceived, is: 200_000)
        },
        Case("A total that nobody announced is not known", needsProgress: true) { bench in
            let proceed = Gate()
            let server = try bench.serve { exchange in
                try exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
                try exchange.wait(for: proceed)
                try exchange.send("0\r\n\r\n")
            }
            let asked = bench.ask(URLRequest(url: server.url()))
            let metrics = try await asked.metrics("the first bytes") { $0.responseBytesReceived == 3 }
            try bench.check("the total", metrics.responseBytesTotal, is: nil)
            proceed.open()
            _ = try await asked.answer()
        },
        Case("Bytes sent are counted, against the size of the body") { bench in
            let server = try bench.serve { try $0.respond() }
            for count in [10, 2_000_000] {
                var request = URLRequest(url: server.url())
                request.httpMethod = "POST"
                request.httpBody = Data(count: count)
                let asked = bench.ask(request)
                _ = try await asked.answer()
                let metrics = asked.networking.transferMetrics
                try bench.check("the bytes sent", metrics.requestBytesSent, is: Int64(count))
                try bench.check("the size", metrics.requestBytesTotal, is: Int64(count))
            }
        },
    ]
}
