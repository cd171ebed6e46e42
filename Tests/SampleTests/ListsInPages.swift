import Foundation
import LoopbackServer
import SampleServer
import Siesta
import Testing
import Waiting

extension Samples {
    /// The article "Lists in pages", and the doc comments of lists.
    @MainActor
    final class ListsInPages {
        nonisolated struct Repo: Codable, Identifiable, Sendable {
            var id: Int
            var name: String
        }

        let server = stage.newServer()
        let service = Service(baseURL: "https://api.example.com")
        private let linkToSecondPage = [#"Link: </repos?page=2>; rel="next""#]

        init() {
            let first = #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#
            server.answer("GET /repos", .json(first, headers: linkToSecondPage))
            server.answer("GET /repos?page=2", .json(#"[{"id": 2, "name": "b"}, {"id": 3, "name": "c"}]"#))
        }

        private var repos: PagedResource<Repo> {
            PagedResource(service.resource("/repos", as: [Repo].self), next: .link)
        }

        @Test func `A list grows along its links`() async throws {
            service.decode("/repos", as: [Repo].self)
            let repos = PagedResource(service.resource("/repos", as: [Repo].self), next: .link)

            try await repos.loadNext()  // The first page
            try await repos.loadNext()  // The second page
            print(repos.items.map(\.name), repos.hasNext)
            #expect(stage.printed == [#"["a", "b", "c"] false"#])
            #expect(server.received == ["GET /repos", "GET /repos?page=2"])
        }

        @Test func `A screen shows an endless list`() async throws {
            @MainActor
            final class ReposScreen {
                let repos: PagedResource<Repo>

                init(_ repos: PagedResource<Repo>) {
                    self.repos = repos
                    repos.addObserver(owner: self) { [weak self] _, _ in self?.draw() }
                }

                func appear() {
                    repos.loadIfNeeded()  // The first page, or the pages that are stale
                }

                func rowAppears(at index: Int) {
                    if index == repos.items.count - 1 { repos.beginLoadingNext() }
                }

                func draw() {
                    let isEmpty = repos.items.isEmpty && !repos.hasNext
                    show(isEmpty ? ["No repositories"] : repos.items.map(\.name), repos.error, isBusy: repos.isLoading)
                }
            }
            service.decode("/repos", as: [Repo].self)
            let screen = ReposScreen(repos)
            screen.appear()
            try await Poll.until { screen.repos.items.count == 2 && !screen.repos.isLoading }
            for index in screen.repos.items.indices { screen.rowAppears(at: index) }
            try await Poll.until { screen.repos.items.count == 3 && !screen.repos.isLoading }
            #expect(stage.printed.first == "[] nil")
            #expect(stage.printed.last == #"["a", "b", "c"] nil"#)
            server.answer("GET /repos/none", .json("[]"))
            service.decode("/repos/none", as: [Repo].self)
            let none = ReposScreen(PagedResource(service.resource("/repos/none", as: [Repo].self), next: .link))
            none.appear()
            try await Poll.until { !none.repos.hasNext }
            #expect(stage.printed.last == #"["No repositories"] nil"#)
        }

        @Test func `Items are created, edited and deleted`() async throws {
            service.decode("/repos", as: [Repo].self)
            service.decode("/repos/*", as: Repo.self)
            let repos = repos
            for _ in 0..<2 { try await repos.loadNext() }
            server.answer("POST /repos", .json(#"{"id": 7, "name": "new"}"#, status: 201))
            server.answer("PATCH /repos/1", .json(#"{"id": 1, "name": "renamed"}"#))
            server.answer("DELETE /repos/2", .status(204))
            let created = try await repos.create(Repo(id: -1, name: "new")).value
            repos.update(repos.items[1]) { $0.name = "renamed" }
            repos.delete(repos.items[2])
            #expect(created?.id == 7)
            #expect(repos.items.map(\.name) == ["new", "renamed", "c"])
            try await Poll.until { !repos.pages.contains { $0.isOptimistic } }
            #expect(repos.items.map(\.id) == [7, 1, 3])
            #expect(server.requests.contains { $0.body == Data(#"{"name":"renamed"}"#.utf8) })
        }

        @Test func `A list has other URLs for its items`() {
            let (repos, service) = (repos, service)
            repos.collection = service.resource("/user/repos")
            repos.itemResource = { service.resource("/repos/\($0.name)") }
            #expect(repos.collection.url.path == "/user/repos")
            #expect(repos.itemResource(Repo(id: 1, name: "a")).url.path == "/repos/a")
        }

        @Test func `A write changes a list`() async throws {
            service.configure("/repos") { $0.tags = ["repos"] }
            service.configure("/repos", requestMethods: [.post]) { $0.invalidates = ["repos"] }
            service.decode("/repos", as: [Repo].self)
            let repos = repos
            for _ in 0..<2 { try await repos.loadNext() }
            repos.addObserver(owner: self) { _, _ in }
            let new = #"[{"id": 4, "name": "new"}, {"id": 1, "name": "a"}]"#
            // Without the link, the second page would leave the list, perhaps before its request is sent.
            server.answer("GET /repos", .json(new, headers: linkToSecondPage))
            server.answer("POST /repos", .json("{}"))
            try await service.resource("/repos").request(.post).value.content(as: Void.self)
            try await Poll.until { repos.items.first?.id == 4 && !repos.isLoading }
            #expect(server.received.count { $0 == "GET /repos?page=2" } == 2)
        }

        @Test func `The content of a page can be an object`() async throws {
            server.answer("GET /search", .json(#"{"items": [{"id": 1, "name": "a"}], "nextCursor": "x", "total": 2}"#))
            struct Results: Codable, Sendable {
                var items: [Repo]
                var nextCursor: String?
                var total: Int
            }

            service.decode("/search", as: Results.self)
            let search = PagedResource(
                service.resource("/search", as: Results.self), items: \.items, next: .cursor("after", \.nextCursor),
                total: .content(\.total))
            try await search.loadNext()
            print(search.items.count, "of", search.total ?? 0)
            #expect(stage.printed == ["1 of 2"])
        }

        @Test func `A list is loaded again`() async throws {
            service.decode("/repos", as: [Repo].self)
            let repos = repos
            try await repos.loadNext()
            try await repos.reload(.firstThenMerge)
            #expect(server.received == ["GET /repos", "GET /repos"])
        }

        @Test func `The states of a list are a sequence`() async throws {
            service.decode("/repos", as: [Repo].self)
            let repos = repos
            try await repos.loadNext()
            try await repos.loadNext()
            for await list in repos.states {
                show(list.items.count, list.error?.userMessage, isBusy: list.isLoading)
                if !list.hasNext { break }  // sample.hidden
            }
            #expect(stage.printed == ["3 nil"])
        }

        @Test func `A loop shows a list`() async throws {
            service.decode("/repos", as: [Repo].self)
            let repos = repos
            try await repos.loadNext()
            for await list in repos.states {
                show(list.items.count, list.error, isBusy: list.isLoading)
                break  // sample.hidden
            }
            #expect(stage.printed == ["2 nil"])
        }

        @Test func `The first lines of a list`() async throws {
            struct API {
                let service: Siesta.Service
                @MainActor func repositories(of owner: String) -> TypedResource<[Repo]> {
                    service.resource("/repos", as: [Repo].self)
                }
            }
            service.decode("/repos", as: [Repo].self)
            let api = API(service: service)
            let repos = PagedResource(api.repositories(of: "apple"), next: .link)
            try await repos.loadNext()
            show(repos.items.count, repos.hasNext)
            #expect(stage.printed == ["2 true"])
        }

        @Test func `A closure observes a list`() async throws {
            service.decode("/repos", as: [Repo].self)
            let repos = repos
            repos.addObserver(owner: self) { repos, event in
                print(repos.items.count, event.event)
            }
            repos.addObserver(owner: self) { repos, event in print(repos.items.count, event.event) }
            try await repos.loadNext()
            #expect(stage.printed.last == "2 newData(network)")
        }

        @Test func `A list starts from the caches`() async throws {
            service.decode("/repos", as: [Repo].self)
            let repos = repos
            await repos.loadCachedPages(upTo: 3)
            repos.loadIfNeeded()
            while repos.isLoading { await Task.yield() }
            #expect(repos.items.count == 2)
        }

        @Test func `Pages with cursors, URLs and names`() async throws {
            struct Posts: Codable, Sendable {
                var posts: [Repo]
                var nextCursor: String?
                var nextURL: String?
            }
            server.answer("GET /posts", .json(#"{"posts": [], "nextURL": "/posts/2"}"#))
            service.decode("/posts", as: Posts.self)
            let firstPage = service.resource("/posts", as: Posts.self)
            let posts = PagedResource(firstPage, items: \.posts, next: .url(\.nextURL))
            try await posts.loadNext()
            #expect(posts.hasNext)
            do {
                let posts = firstPage
                _ =
                    PagedResource(posts, items: \.posts, next: .cursor("after", \.nextCursor))
            }
            do {
                let firstPage = service.resource("/names", as: [String].self)
                let names = PagedResource(firstPage, id: { $0 }, next: .pageNumber())
                #expect(names.items.isEmpty)
            }
        }

        @Test func `A link of any relation type leads to a resource`() async throws {
            server.answer("GET /users/42", .json("{}", headers: ["Link: <../help>; rel=help, </users/43>; rel=next"]))
            let user = service.resource("/users/42")
            _ = try await user.load().value
            if let help = user.linked("help") { print(help.url.path) }
            if let next = user.latestData?.links.first(where: { $0.relations.contains("next") }) { print(next.target) }
            let page = user
            let next = page.linked("next")
            #expect(next?.url.path == "/users/43")
            #expect(stage.printed == ["/help", "/users/43"])
        }
    }
}
