#if canImport(SwiftUI) && canImport(ImageIO)
public import Foundation
public import SiestaCore
public import SwiftUI

/// A view that loads an image and shows it.
///
///     RemoteImage(url: user.avatarURL)
///         .frame(width: 64, height: 64)
///
/// The view fills all the space that its container proposes, so give it a frame. The image is decoded in the background
/// at the size of the view. An image in memory is shown at once. While the view is shown, it observes the resource of
/// the image, and loads the resource if it is stale. When the view disappears, the load is cancelled unless the
/// resource has other observers.
///
/// - Note: This code was type-checked against stand-ins for Apple's frameworks, and has never been built with Xcode.
public struct RemoteImage<Content: View>: View {
    /// The state of an image: empty, loading, an image, or a failure.
    public typealias Phase = RemoteImageModel<ImageIODecoder>.Phase

    @State private var kept = Kept<RemoteImageModel<ImageIODecoder>>()
    @State private var isShown = false
    @State private var hasSize = false
    @Environment(\.displayScale) private var scale
    private let resource: Resource?
    private let store: ImageStore<ImageIODecoder>
    private let content: (Phase) -> Content

    /// Creates a view of an image at a URL. The closure `content` creates the view for each phase.
    public init(
        url: URL?, service: Service = .forImages, store: ImageStore<ImageIODecoder> = .shared,
        @ViewBuilder content: @escaping (Phase) -> Content
    ) {
        self.init(url.map { service.resource(absoluteURL: $0) }, store: store, content: content)
    }

    /// Creates a view of the image that a resource contains. The closure `content` creates the view for each phase.
    public init(
        _ resource: Resource?, store: ImageStore<ImageIODecoder> = .shared,
        @ViewBuilder content: @escaping (Phase) -> Content
    ) {
        (self.resource, self.store, self.content) = (resource, store, content)
    }

    private var model: RemoteImageModel<ImageIODecoder> { kept.value { RemoteImageModel(store: store) } }

    /// The view of the current phase.
    public var body: some View {
        Color.clear
            // Until the model has the resource of a view that was made anew, it shows that of the last view.
            .overlay { content(model.resource === resource ? model.phase : .empty) }
            .onGeometryChange(for: CGSize.self, of: { $0.size }, action: resize)
            .onAppear {
                isShown = true
                start()
            }
            .onDisappear {
                isShown = false
                model.disappear()
            }
            .onChange(of: resource) { _, _ in start() }
    }

    /// A view that is collapsed keeps its last size.
    private func resize(_ size: CGSize) {
        guard let size = PixelSize(size, scale: scale) else { return }
        model.targetSize = size
        hasSize = true
        start()
    }

    /// Begins when the view is shown and has its size, so that the image is not decoded in another size first.
    private func start() {
        guard isShown, hasSize else { return }
        model.resource = resource
        model.appear()
    }
}

extension RemoteImage where Content == RemoteImageContent {
    /// Creates a view of an image at a URL, with the standard layout.
    public init(url: URL?, service: Service = .forImages, store: ImageStore<ImageIODecoder> = .shared) {
        self.init(url: url, service: service, store: store) { RemoteImageContent($0) }
    }
}

/// The standard layout of a remote image: an activity indicator, and then the image, which fills the view.
public struct RemoteImageContent: View {
    private let phase: RemoteImage<RemoteImageContent>.Phase

    /// Creates the layout for a phase.
    public init(_ phase: RemoteImage<RemoteImageContent>.Phase) {
        self.phase = phase
    }

    /// The view for the phase.
    public var body: some View {
        switch phase {
        case .empty: Color.clear
        case .loading: ProgressView().accessibilityLabel(Text(verbatim: StatusWords.current.loading))
        case .image(let image): SwiftUI.Image(image).resizable()
        case .failed: Color.clear.accessibilityLabel(Text(verbatim: StatusWords.current.imageFailed))
        }
    }
}

extension SwiftUI.Image {
    /// Creates a view of a loaded image.
    public init(_ loaded: LoadedImage) {
        #if canImport(UIKit)
        self.init(uiImage: loaded.image)
        #else
        self.init(nsImage: loaded.image)
        #endif
    }
}
#endif
