import Foundation
import LoopbackServer
import Observation
import SampleServer
import Siesta
import Testing
import Waiting

extension Samples {
    /// The article "Observing".
    @MainActor
    struct Observing {
        let server = stage.newServer()
        let service = Service(baseURL: "https://api.example.com")

        @Test func `Observers and closures receive every event`() async throws {
            server.answer("GET /users/42", .json(#"{"id": 42, "name": "Ada"}"#))
            let resource = service.resource("/users/42")
            @MainActor
            final class UserScreen: ResourceObserver {
                func resourceChanged(_ resource: Resource, event: ResourceEvent) {
                    print(event, resource.jsonDict["name"] ?? "nobody")
                }
            }

            let screen = UserScreen()
            resource.addObserver(screen)
            resource.addObserver(owner: screen) { resource, event in
                print(event, resource.latestError?.userMessage ?? "no error")
            }
            resource.loadIfNeeded()
            try await Poll.until { stage.printed.count == 6 }
            #expect(
                stage.printed.sorted() == [
                    "newData(network) Ada", "newData(network) no error", "observerAdded no error",
                    "observerAdded nobody",
                    "requested no error", "requested nobody",
                ])
            withExtendedLifetime(screen) {}
        }

        @Test func `A closure is told of the first and the last observer`() {
            @MainActor
            final class Chat {
                init(_ room: Resource) {
                    room.onObservedChange(owner: self) { room, isObserved in
                        print(isObserved ? "join" : "leave", room.url.path)
                    }
                }
            }

            let room = service.resource("/rooms/42")
            let (chat, screen) = (Chat(room), Screen())
            room.addObserver(owner: screen) { _, _ in }
            room.removeObservers(ownedBy: screen)
            #expect(stage.printed == ["join /rooms/42", "leave /rooms/42"])
            withExtendedLifetime(chat) {}
        }

        private final class Screen {}

        @Test func `Sequences deliver states and events`() async throws {
            server.answer("GET /users/42", .text("Ada"))
            let resource = service.resource("/users/42")
            let states = Task {
                resource.loadIfNeeded()
                for await state in resource.states {
                    print(state.data?.text ?? "nothing", state.isLoading, state.isStale, state.progress ?? 0)
                }
            }
            let events = Task {
                for await change in resource.events {
                    if change.missed > 0 { print("missed", change.missed) }
                    print(change.event)
                }
            }
            try await stage.hasPrinted("Ada false false")  // sample.hidden
            try await stage.hasPrinted("newData(network)")  // sample.hidden
            states.cancel()
            events.cancel()
            _ = await (states.value, events.value)
            #expect(stage.printed.contains { $0.hasPrefix("nothing true true") })
            #expect(!stage.printed.contains { $0.hasPrefix("missed") })
        }

        var resource: Resource { service.resource("/users/42") }

        @MainActor
        func show() {
            withObservationTracking {
                print(resource.latestData?.text ?? "nothing", resource.isLoading)
            } onChange: {
                Task { @MainActor in show() }
            }
        }

        @Test func `Observation tracks what was read`() async throws {
            server.answer("GET /users/42", .text("Ada"))
            show()
            resource.loadIfNeeded()
            try await stage.hasPrinted("Ada false")
            #expect(stage.printed.first == "nothing false")
        }
    }
}
