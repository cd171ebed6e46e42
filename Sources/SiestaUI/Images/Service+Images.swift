public import SiestaCore

extension Service {
    /// The service that loads images for views that are given a URL but no service.
    ///
    /// This service sends no credentials, does not convert the data of images, and treats an image as fresh for an
    /// hour. Configure this service like any other service, for example with a persistent cache.
    @MainActor public static let forImages: Service = {
        let service = Service(standardTransformers: [])
        service.configure { $0.expirationTime = 3600 }
        return service
    }()
}
