import Foundation

#if canImport(UIKit)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

/// Returns a transformer that converts image data to an ``ImageContent``. For any other data, the response fails with
/// the cause ``RequestError/Cause/UnparsableImage``.
///
/// - Parameter transformErrors: True to also convert the entities of errors. The default is false.
public func ImageResponseTransformer(_ transformErrors: Bool = false) -> any ResponseTransformer {
    ResponseContentTransformer(transformErrors: transformErrors) { (entity: Entity<Data>) -> ImageContent? in
        guard let image = ImageContent(data: entity.content) else {
            throw RequestError(
                userMessage: UserMessages.current.cannotParseImage, cause: RequestError.Cause.UnparsableImage())
        }
        return image
    }
}
