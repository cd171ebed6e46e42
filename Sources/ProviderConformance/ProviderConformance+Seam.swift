import Foundation
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The rules for every provider, including a provider without a network.
extension ProviderConformance {
    static let seam: [Case] = [
        Case("A response arrives with status, headers and body") { bench in
            let offer = ConformanceBench.Offer.response(
                status: 200, headers: ["Content-Type": "text/plain", "X-Thing": "a b"], body: Data("hello".utf8))
            let answer = try await bench.answer(try bench.url(offering: offer))
            try bench.check("the status", answer.status, is: 200)
            try bench.check("the body", answer.text, is: "hello")
            try bench.check("a header", answer.header("x-thing"), is: "a b")
            try bench.check(answer.error == nil, "there should be no error beside the response")
        },
        Case("A status of 400 and more is a response, not an error") { bench in
            for status in [400, 404, 418, 451, 500, 503, 599] {
                let body = Data("no".utf8)
                let url = try bench.url(offering: .response(status: status, headers: [:], body: body))
                let answer = try await bench.answer(url)
                try bench.check("the status", answer.status, is: status)
                try bench.check("the body of a \(status)", answer.text, is: "no")
            }
        },
        Case("A failed connection is an error without a response") { bench in
            let answer = try await bench.answer(try bench.url(offering: .failure))
            try bench.check(answer.error != nil, "there should be an error")
            try bench.check("the status", answer.status, is: nil)
        },
        Case("A request without an answer ends when it is cancelled, once, with URLError.cancelled") { bench in
            let asked = bench.ask(URLRequest(url: try bench.url(offering: .silence)))
            asked.networking.cancel()
            asked.networking.cancel()
            try bench.check(try await asked.answer(), failsWith: .cancelled)
            asked.networking.cancel()
        },
        Case("Cancelling after the answer changes nothing") { bench in
            let url = try bench.url(offering: .response(status: 200, headers: [:], body: Data("x".utf8)))
            let asked = bench.ask(URLRequest(url: url))
            try bench.check("the body", try await asked.answer().text, is: "x")
            asked.networking.cancel()
            _ = asked.networking.transferMetrics
        },
        Case("A request completes although the main thread is busy") { bench in
            let url = try bench.url(offering: .response(status: 200, headers: [:], body: Data("x".utf8)))
            let asked = bench.ask(URLRequest(url: url))
            try bench.check(asked.blockUntilAnswered(), "the completion waits for the main thread")
        },
        Case("Starting a request does not wait for its answer") { bench in
            let asked = bench.ask(URLRequest(url: try bench.url(offering: .silence)))
            try bench.check("the number of completions", asked.completionCount, is: 0)
            asked.networking.cancel()
            _ = try await asked.answer()
        },
    ]
}
