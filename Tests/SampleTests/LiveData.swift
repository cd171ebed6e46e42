import Foundation
import Siesta
import SiestaTesting
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Samples {
    /// The articles "Live data" and "Event streams".
    @MainActor
    struct LiveData {
        let network = StubNetwork()
        let service: Siesta.Service
        final class Screen {}
        let screen = Screen()

        init() { service = Siesta.Service(baseURL: "https://api.test", networking: network) }

        /// Observes an order, and waits until a stream is open.
        private func liveOrder() async throws -> Resource {
            let network = network
            network.answer(.get, "/orders/7", with: .json(#"{"state": "new"}"#))
            let order = service.resource("/orders/7")
            order.addObserver(owner: screen) { _, _ in }
            await order.load().completion()
            return order
        }

        private func expect(_ state: String, of order: Resource) async throws {
            try await Poll.until { order.jsonDict["state"] as? String == state }
        }

        @Test func `An event replaces the data`() async throws {
            service.configure("/orders/*") {
                $0.live = .eventSource("/orders/events") { event, url in
                    url.lastPathComponent == event.type ? .replace(event.data) : nil
                }
            }
            let order = try await { () async throws -> Resource in
                network.answer(.get, "/orders/events", with: .stream())
                let order = try await liveOrder()
                return order
            }()
            try await Poll.until { network.exchanges.contains { $0.isStreaming } }
            let stream = try #require(network.exchanges.first { $0.isStreaming })
            stream.send("event: 7\ndata: {\"state\": \"paid\"}\n\n")
            try await expect("paid", of: order)
            switch order.live {
            case .live: print("live")
            case .failed(_, let next?): print("reconnecting at \(next)")
            default: print("connecting")
            }
        }

        @Test func `A route finds the resource`() async throws {
            service.configure("/orders/*") {
                $0.live = .eventSource("/orders/events", route: { event in "/orders/\(event.type)" }) { event, _ in
                    .replace(event.data)
                }
            }
            let order = service.resource("/orders/7")
            order.addObserver(owner: screen) { _, _ in }
            network.answer(.get, "/orders/7", with: .json(#"{"state": "new"}"#))
            network.answer(.get, "/orders/events", with: .stream())
            let stream = try await network.exchange(1)
            stream.send("event: 7\ndata: {\"state\": \"paid\"}\n\n")
            try await expect("paid", of: order)
        }

        @Test func `A test sends events`() async throws {
            service.configure("/orders/*") {
                $0.live = .eventSource("/orders/events") { event, _ in .replace(event.data) }
            }
            network.answer(.get, "/orders/7", with: .held)
            let order = service.resource("/orders/7")
            order.load()
            order.addObserver(owner: screen) { _, _ in }
            network.answer(.get, "/orders/events", with: .stream())
            let stream = try await network.exchange(2)
            stream.send("event: 7\ndata: {\"state\": \"paid\"}\n\n")
            try await expect("paid", of: order)
        }

        @Test func `A hub and a sequence are sources`() async throws {
            let (sequence, continuation) = AsyncStream.makeStream(of: LiveUpdate.self)
            @MainActor func updates(of resource: Resource) -> AsyncStream<LiveUpdate> { sequence }
            service.configure("/hubs/*") {
                $0.live = .mercure()
            }
            service.configure("/orders/*") {
                $0.live = .sequence { resource in updates(of: resource) }
            }
            let order = try await liveOrder()
            continuation.yield(.replace(#"{"state": "paid"}"#))
            try await expect("paid", of: order)
        }

        @Test func `Orders share a topic of a hub`() async throws {
            service.configure("/orders/*") {
                $0.live = .mercure(topic: "https://api.test/orders/{id}", route: { event in "/orders/\(event.type)" })
            }
            let answer = StubAnswer.json(#"{"state": "new"}"#, headers: ["Link": #"</hub>; rel="mercure""#])
            network.answer(.get, "/orders/7", with: answer)
            network.answer(.get, "/hub", with: .stream())
            let order = service.resource("/orders/7")
            order.addObserver(owner: screen) { _, _ in }
            order.load()
            try await Poll.until { order.live.isLive }
            let hub = try #require(network.exchanges.first { $0.isStreaming })
            hub.send("event: 7\ndata: {\"state\": \"paid\"}\n\n")
            try await expect("paid", of: order)
        }

        @Test func `The head of each response of a stream is shown`() async throws {
            let news = service.resource("/news")
            network.answer(.get, "/news", with: .stream(headers: ["X-News-Edition": "evening"]), .response(204))
            let stream = news.eventStream.onOpen { opening in show(opening.headers["x-news-edition"]) }
            let reading = Task {
                var texts: [String] = []
                for try await event in stream { texts.append(event.data) }
                return texts
            }
            let exchange = try await network.exchange(1)
            exchange.send("data: hello\n\n")
            exchange.finish()
            #expect(try await reading.value == ["hello"])
        }

        @Test func `Events are read in a loop`() async throws {
            struct Quote: Decodable, Sendable { var price: Double }
            let (news, quotes) = (service.resource("/news"), service.resource("/quotes"))
            network.answer(.get, "/news", with: .stream(), .response(204))
            network.answer(.get, "/quotes", with: .stream(), .response(204))
            let reading = Task {
                for try await event in news.eventStream {
                    print(event.type, event.data)
                }
            }
            let stream = try await network.exchange(1)
            stream.send("data: hello\n\n")
            stream.finish()
            try await reading.value
            let decoding = Task {
                for try await quote in quotes.eventStream.values(of: Quote.self) {
                    print(quote.price)
                }
            }
            let priced = try await network.exchange(3)
            priced.send("data: {\"price\": 1.5}\n\n")
            priced.finish()
            try await decoding.value
        }

        @Test func `A test breaks a stream, and moves the time`() async throws {
            let (clock, network) = (TestClock(), StubNetwork())
            let service = clock.whileCurrent { Siesta.Service(baseURL: "https://api.test", networking: network) }
            let news = service.resource("/news")
            let reading = Task {
                for try await event in news.eventStream { print(event.data) }
            }
            network.answer(.get, "/news", with: .stream())
            let stream = try await network.exchange(1)
            stream.send("id: 7\ndata: hello\n\n")
            try await stream.delivered()
            stream.fail(.networkConnectionLost)
            try await clock.waitForTimers(1)
            clock.advance(by: 1)
            let next = try await network.exchange(2)
            #expect(next.request.value(forHTTPHeaderField: "Last-Event-ID") == "7")
            reading.cancel()
            _ = await reading.result
        }

        @Test func `A test sends the changes of a live resource`() async throws {
            let (api, recorder) = (service, ObserverRecorder())
            service.configure("/orders/*") {
                $0.live = .eventSource("/orders/events") { event, _ in .replace(event.data, version: LiveVersion(2)) }
            }
            network.answer(.get, "/orders/7", with: .json(#"{"state": "new"}"#))
            network.answer(.get, "/orders/events", with: .stream())
            let order = api.resource("/orders/7")
            order.addObserver(recorder)
            await order.load().completion()
            let stream = try await network.exchange(2)
            stream.send("event: 7\ndata: {\"state\": \"paid\"}\n\n")
            await recorder.next { _ in order.jsonDict["state"] as? String == "paid" }
            #expect(order.live.isLive)
        }

        @Test func `A language model answers`() async throws {
            struct Token: Decodable, Sendable { var text: String }
            let chat = service.resource("/chat")
            network.answer(.post, "/chat", with: .stream())
            let reading = Task {
                let answer = chat.eventStream(.post) { request in
                    request.httpBody = Data(#"{"prompt": "Hello"}"#.utf8)
                }
                for try await token in answer.values(of: Token.self, endingWith: "[DONE]") {
                    print(token.text)
                }
            }
            let stream = try await network.exchange(1)
            stream.send("data: {\"text\": \"Hi\"}\n\ndata: [DONE]\n\n")
            try await reading.value
        }
    }
}
