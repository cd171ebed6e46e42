public import Foundation
public import SiestaCore

extension RequestBody {
    /// A form with text, data and files; see ``MultipartForm``.
    ///
    ///     album.request(.post, body: .multipart(form)).onProgress { print("\(Int($0 * 100)) %") }
    ///
    /// With libcurl, the body is never in memory as a whole, and is sent with a `Content-Length`. `URLSession`, and
    /// providers that cannot stream, receive a form as `Data` if it is no larger than 1 MB and contains no files. They
    /// receive any other form as an `InputStream`. On Linux, `URLSession` sends an `InputStream` in chunks, without a
    /// `Content-Length`.
    ///
    /// If a part has a header that is not allowed, the request fails with ``RequestError/Code/unencodableBody``. If a
    /// file cannot be read, the request fails with ``RequestError/Code/unreadableBody``. The progress counts the bytes
    /// that libcurl or `URLSession` has accepted.
    public static func multipart(_ form: MultipartForm) -> RequestBody {
        RequestBody { _ in Encoded(.stream { try form.encoded() }, contentType: form.contentType) }
    }

    /// A body whose pieces are the elements of a sequence. The library reads the sequence only once, and no faster than
    /// the network sends the body. If the request is repeated, or if a redirect requires the body again, the request
    /// fails with ``RequestError/Code/unrepeatableBody``.
    ///
    /// If the sequence is shorter or longer than `length`, the request fails with ``RequestError/Code/unreadableBody``.
    /// To detect a sequence that is too long, the library sends the last piece only after the sequence has ended. If
    /// `length` is 0, it sends no piece.
    ///
    /// - Parameters:
    ///   - pieces: The pieces of the body, in order.
    ///   - length: The number of bytes, which the server receives as the `Content-Length`. If the length is nil, the
    ///     body is sent in chunks (RFC 9112 §7.1), and the progress is a rough estimate.
    ///   - contentType: The value of the `Content-Type` field.
    public static func stream<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces, length: Int64? = nil, contentType: String = "application/octet-stream"
    ) -> RequestBody where Pieces.Element == Data {
        let body = SequenceBody(pieces, length: length)
        return RequestBody { _ in Encoded(.stream { body }, contentType: contentType) }
    }
}
