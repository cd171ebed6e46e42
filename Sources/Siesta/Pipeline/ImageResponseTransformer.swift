import Foundation

/// Reads an image into an ``Image``; what is not one is the error ``RequestError/Cause/UnparsableImage``.
public func ImageResponseTransformer(_ transformErrors: Bool = false) -> any ResponseTransformer {
    ResponseContentTransformer(transformErrors: transformErrors) { (entity: Entity<Data>) -> Image? in
        guard let image = Image(data: entity.content) else {
            throw RequestError(
                userMessage: UserMessages.current.cannotParseImage, cause: RequestError.Cause.UnparsableImage())
        }
        return image
    }
}
