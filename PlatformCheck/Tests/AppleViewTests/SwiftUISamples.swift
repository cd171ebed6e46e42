// The samples of the doc comments of the views for SwiftUI.
import Foundation
import Siesta
import SiestaTesting
import SiestaUI
@_spi(Fakes) import SwiftUI
import TestKit
import Testing
import Waiting

struct User: Codable, Sendable {
    var name: String
    var avatarURL: URL?
}

@MainActor private let network = StubNetwork()

@MainActor private let service: Service = {
    let service = Service(baseURL: "https://api.test", networking: network)
    service.decode("/users/*", as: User.self)
    return service
}()

extension Service {
    fileprivate func user(_ name: String) -> TypedResource<User> {
        resource("/users", as: User.self).child(name)
    }
}

struct Profile: View {
    @ResourceState(service.user("ada")) var user: User?

    var body: some View {
        Text(user?.name ?? "")
            .statusOverlay(for: $user.resource)
    }
}

private struct PostList: View {
    let posts: Resource

    init(_ posts: Resource) {
        self.posts = posts
    }

    var body: some View { Text(posts.latestData == nil ? "no posts" : "posts") }
}

@MainActor @Suite(.serialized, .timeLimit(.test))
struct SwiftUISamples {
    private let profile = service.resource("/profile")
    private let posts = service.resource("/posts")

    private func wait(for text: String, in host: ViewHost) async throws {
        try await Poll.until {
            host.update()
            return host.texts == [text]
        }
    }

    init() {
        network.answer(.get, "/users/ada", with: .json(#"{"name": "Ada"}"#))
        for path in ["/profile", "/posts"] { network.answer(.get, path, with: .json("[]")) }
    }

    @Test func `A view with a resource state shows the content`() async throws {
        try await wait(for: "Ada", in: ViewHost { Profile() })
    }

    @Test func `A resource view shows the content`() async throws {
        let host = ViewHost {
            ResourceView(service.user("ada")) { user in
                Text(user.name)
            }
        }
        try await wait(for: "Ada", in: host)
    }

    @Test func `A view with an overlay loads its resources`() async throws {
        let host = ViewHost {
            PostList(posts)
                .statusOverlay(for: profile, posts, priority: .dataFirst)
        }
        try await wait(for: "posts", in: host)
        #expect(profile.isLoading || profile.latestData != nil)
    }

    @Test func `A list loads again when a person pulls it down`() async throws {
        let host = ViewHost {
            PostList(posts)
                .refreshable(posts)
        }
        #expect(await host.refresh())
        #expect(host.texts == ["posts"])
    }

    @Test func `An image has the frame that the app gives it`() async throws {
        let user = User(name: "Ada", avatarURL: URL(string: "https://images.test/a.png"))
        let host = ViewHost {
            if posts.url.host == nil {
                RemoteImage(url: user.avatarURL)
                    .frame(width: 64, height: 64)
            }
        }
        #expect(host.images.isEmpty)
    }

    @Test func `A bar is visible during a load`() async throws {
        let repositories = service.resource("/repositories")
        network.answer(.get, "/repositories", with: .held)
        let host = ViewHost {
            if repositories.isLoading { ProgressView(repositories) }
        }
        #expect(host.progress.isEmpty)
        let load = repositories.load()
        try await Poll.until {
            host.update()
            return host.progress.count == 1
        }
        load.cancel()
    }
}
