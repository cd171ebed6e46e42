import Foundation
import SampleServer
import Siesta
import SiestaUI
import Testing
import Waiting

/// The class of the samples, also where another type has its name.
private typealias SampleService = Service

extension Samples {
    /// The articles of SiestaUI, and the doc comments of its models.
    @MainActor
    final class UserInterface {
        let server = stage.newServer()
        let service = Service(baseURL: "https://api.example.com")

        @Test func `A screen shows the status of two resources`() async throws {
            server.answer("GET /profile", .json("{}"))
            server.answer("GET /posts", .json("[]"))
            let (profile, posts) = (service.resource("/profile"), service.resource("/posts"))
            let status = StatusOverlayModel(displayPriority: .dataFirst)
            status.add(profile)
            status.add(posts)
            status.onChange = { show(status.display.cover, status.display.message?.line) }
            profile.loadIfNeeded()
            posts.loadIfNeeded()
            (status.loadingDelay, status.minimumLoadingTime) = (0, 0)
            try await Poll.until { profile.latestData != nil && posts.latestData != nil }
            #expect(stage.printed.first == "loading nil")
            #expect(stage.printed.last == "none nil")

            status.displayPriority = .manualLoads
            status.trackManualLoad(posts.load())  // For example after a pull.
            #expect(status.display.cover == .loading)
            try await Poll.until { status.display == .content }
            #expect(server.received.count == 3)
            status.onChange = nil
        }

        @Test func `A view applies the display of a model`() async throws {
            @MainActor final class View {
                func apply(_ display: StatusDisplay) { show(display.cover, display.message?.line) }
            }
            server.answer("GET /profile", .status(404))
            server.answer("GET /posts", .json("[]"))
            let (profile, posts, view) = (service.resource("/profile"), service.resource("/posts"), View())
            let status = StatusOverlayModel(displayPriority: .dataFirst)
            status.add(profile)
            status.add(posts)
            status.onChange = { [weak view] in view?.apply(status.display) }
            _ = try? await profile.load().value
            #expect(stage.printed.last == "failure Could not load · Not found")
            status.onChange = nil
        }

        @Test func `The rules decide without a model`() {
            let rules = StatusRules(priority: .dataFirst)
            let decision = rules.decide([StatusRules.Item(hasData: true, hasError: true)])
            // decision.cover == .none, decision.subject == .failure(of: 0): a banner over the data
            #expect(decision == StatusRules.Decision(cover: .none, subject: .failure(of: 0)))
        }

        @Test func `The words can be translated`() {
            defer { StatusWords.current = StatusWords() }
            StatusWords.current.failed = "Chargement impossible"
            StatusWords.current.retry = "Réessayer"
            StatusWords.current.countdown = { seconds, _, _ in "dans \(seconds) s" }
            #expect(StatusOverlayModel().words.retry == "Réessayer")
        }

        // MARK: Images

        nonisolated struct User: Sendable {
            let avatarURL = URL(string: "https://api.example.com/ada.gif") ?? URL(fileURLWithPath: "/")
        }

        /// A GIF of one pixel.
        private static let pixel = Data(base64Encoded: "R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=") ?? Data()

        struct SizeDecoder: ImageDecoding {
            func decode(_ data: Data, fitting size: PixelSize?) throws -> DecodedImage<String> {
                guard let image = Siesta.ImageContent(data: data) else { throw CocoaError(.fileReadCorruptFile) }
                let full = PixelSize(width: Int(image.size.width), height: Int(image.size.height))
                let fitted = full.fitted(into: size)
                return DecodedImage("\(fitted.width) x \(fitted.height)", pixelSize: fitted)
            }
        }

        @Test func `An image is loaded and decoded`() async throws {
            @MainActor enum Service { static let forImages = SampleService(standardTransformers: []) }
            @MainActor final class View {
                func apply(_ phase: RemoteImageModel<SizeDecoder>.Phase) {
                    if case .image(let image) = phase { show(image) }
                }
            }
            server.answer("GET /ada.gif", .bytes(Self.pixel))
            let (user, images, view) = (User(), ImageStore(decoder: SizeDecoder()), View())
            do {
                let model = RemoteImageModel(store: images)
                model.targetSize = PixelSize(width: 64, height: 64)
                model.onChange = { show(model.image) }
                model.resource = Service.forImages.resource(absoluteURL: user.avatarURL)
                model.appear()
                try await Poll.until { model.image != nil }
                #expect(stage.printed.last == "1 x 1")
                model.onChange = nil
            }
            let model = RemoteImageModel(store: images)
            model.onChange = { [weak view, weak model] in if let model { view?.apply(model.phase) } }
            model.targetSize = PixelSize(width: 64, height: 64)
            model.resource = Service.forImages.resource(absoluteURL: user.avatarURL)
            model.appear()
            #expect(stage.printed.count == 3)
            #expect(server.received.count == 1)

            images.costLimit = 128 << 20
            images.removeAll(under: try MemoryPressure.system())
            show(images.imageCount, images.cost)
        }

        @Test func `A service leaves the data of images unchanged`() async throws {
            server.answer("GET /avatars/ada", .bytes(Self.pixel))
            let api = service
            api.configure("/avatars/*") { $0.pipeline.removeAllTransformers() }
            let avatar = try await api.resource("/avatars/ada").get()
            #expect(avatar.content is Data)
        }

        // MARK: Progress

        @Test func `A bar shows the progress of a load and an upload`() async throws {
            server.answer("GET /repositories", .json("[]"))
            server.answer("POST /upload", .json("{}"))
            let repositories = service.resource("/repositories")
            let upload = service.resource("/upload").request(.post, text: "text")
            let progress = ProgressModel(following: repositories)
            progress.onChange = { show(progress.isActive, progress.fraction) }
            progress.track(upload)
            repositories.load()
            progress.delay = 0
            try await Poll.until { !progress.isActive && repositories.latestData != nil && upload.isCompleted }
            progress.onChange = nil

            @MainActor final class Bar {
                func show(_ fraction: Double??, _ isActive: Bool?) {}
            }
            let bar = Bar()
            do {
                let progress = ProgressModel(following: repositories)
                progress.onChange = { [weak bar, weak progress] in bar?.show(progress?.fraction, progress?.isActive) }
            }
        }

        @Test func `A model tells whether anything runs`() async throws {
            server.answer("GET /repositories", .json("[]"))
            let activity = ProgressModel()
            service.configure { configuration in
                configuration.decorateRequests { _, request in
                    activity.track(request)
                    return request
                }
            }
            _ = try await service.resource("/repositories").load().value
            #expect(service.resource("/repositories").latestData != nil)
        }

        // MARK: Lists

        @Test func `A view applies the changes of a list`() async throws {
            nonisolated struct Repository: Codable, Identifiable, Sendable { var id: Int }
            @MainActor final class View {
                func apply(_ changes: [ListChange], of items: [Repository]) { show(changes.count, items.count) }
            }
            @MainActor struct API {
                let service: Siesta.Service
                func repositories(of owner: String) -> TypedResource<[Repository]> {
                    service.resource("/repos", as: [Repository].self)
                }
            }
            server.answer("GET /repos", .json(#"[{"id": 1}, {"id": 2}]"#))
            service.decode("/repos", as: [Repository].self)
            let (api, view, row) = (API(service: service), View(), 1)
            let model = PagedListModel(PagedResource(api.repositories(of: "apple"), next: .link))
            model.onChange = { [weak view, weak model] changes in view?.apply(changes, of: model?.items ?? []) }
            model.appear()
            // for each row that comes on screen:
            model.showed(row)
            try await Poll.until { model.items.count == 2 }
            #expect(stage.printed.contains("1 2"))
        }

        @Test func `A list is turned into another`() {
            var old = [1, 2, 3]
            let new = [1, 9, 3]
            let changes = [ListChange(position: 1, removedCount: 1, inserted: 1..<2)]
            for change in changes {
                old.replaceSubrange(change.position..<change.position + change.removedCount, with: new[change.inserted])
            }
            #expect(old == new)
        }
    }
}
