import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request for a provider that cannot read a body in pieces. A small body in memory is sent as `Data`. Otherwise the
/// provider receives the stream of a file. The body is copied to this file, unless it is already a file. An encrypted body
/// is decrypted in memory and sent as `Data`.
@MainActor
final class SpooledRequest: RequestNetworking {
    typealias Completion = @Sendable (NetworkResponse) -> Void
    /// Starts a request. If its body is the stream of a file, also receives the file, to open it again.
    typealias Start = @MainActor (URLRequest, URL?, @escaping Completion) -> any RequestNetworking

    private let start: Start
    private let completion: Completion
    private var started: (any RequestNetworking)?
    private var copying: Task<Void, Never>?

    init(
        _ request: URLRequest, body: any StreamedBody, completion: @escaping Completion, start: @escaping Start
    ) {
        self.start = start
        self.completion = completion
        let segments = body as? SegmentedBody
        if let data = segments?.smallContent {
            var request = request
            request.httpBody = data
            started = start(request, nil, completion)
            return
        }
        do throws(RequestError.Failure) {
            if let file = try segments?.unchangedFile() {
                send(request, InputStream(url: file), of: file, length: body.length, completion)
            } else {
                copying = Task { await body is any SealedBody ? read(body, for: request) : copy(body, for: request) }
            }
        } catch {
            started = FailedStart(error, completion)
        }
    }

    func cancel() {
        copying?.cancel()
        started?.cancel()
    }

    var transferMetrics: RequestTransferMetrics { started?.transferMetrics ?? .nothing }

    var requestMetrics: RequestMetrics? { started?.requestMetrics }

    private func copy(_ body: any StreamedBody, for request: URLRequest) async {
        do {
            let file = try await SpoolFile(copying: body)
            try Task.checkCancellation()
            let completion = completion
            send(request, file.stream, of: file.url, length: file.length) { response in
                withExtendedLifetime(file) { completion(response) }
            }
            if Task.isCancelled { started?.cancel() }  // Cancelled by code that ran during the start.
        } catch {
            completion(NetworkResponse(error: Task.isCancelled ? URLError(.cancelled) : error))
        }
    }

    private func read(_ body: any StreamedBody, for request: URLRequest) async {
        do {
            var request = request
            request.httpBody = try await body.content()
            try Task.checkCancellation()
            started = start(request, nil, completion)
            if Task.isCancelled { started?.cancel() }  // Cancelled by code that ran during the start.
        } catch {
            completion(NetworkResponse(error: Task.isCancelled ? URLError(.cancelled) : error))
        }
    }

    private func send(
        _ request: URLRequest, _ stream: InputStream?, of file: URL, length: Int64?,
        _ completion: @escaping Completion
    ) {
        guard let stream else {
            let error = RequestError.Failure.unreadableBody(file, CocoaError(.fileReadUnknown))
            return started = FailedStart(error, completion)
        }
        var request = request
        request.httpBodyStream = stream
        request.setValue(length.map(String.init), forHTTPHeaderField: "Content-Length")
        started = start(request, file, completion)
    }
}

extension StreamedBody {
    /// Reads the whole body.
    @concurrent
    fileprivate func content() async throws -> Data {
        let reader = try makeReader()
        var content = Data()
        while let piece = try await reader.next() { content += piece }
        return content
    }
}

extension SegmentedBody {
    /// The whole body if it is in memory and small.
    fileprivate var smallContent: Data? {
        guard (length ?? .max) <= 1 << 20 else { return nil }
        var content = Data()
        for segment in segments {
            guard case .bytes(let data) = segment else { return nil }
            content += data
        }
        return content
    }
}

/// A copy of a body in the folder for temporary files. The file is removed when this object is released. On Linux, it
/// loses its name at once, so that nothing remains if the process is killed.
///
/// Other users may write to that folder. Therefore the file has an unpredictable name and must not exist before, and
/// only the process's user may read it.
private final class SpoolFile: Sendable {
    /// The URL by which this process opens the file.
    let url: URL
    let length: Int64
    #if os(Linux) || os(Android)
    private let file: FileDescriptor
    #endif

    @concurrent
    init(copying body: any StreamedBody) async throws {
        let reader = try body.makeReader()
        let named = FileManager.default.temporaryDirectory.appendingPathComponent("siesta-\(UUID().uuidString)")
        let file = try FileDescriptor(named.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        #if os(Linux) || os(Android)
        unlink(named.path)
        url = URL(fileURLWithPath: "/proc/self/fd/\(file.number)")
        self.file = file
        #else
        url = named
        defer { file.close() }
        #endif
        var length: Int64 = 0
        do {
            while let piece = try await reader.next() {
                try Task.checkCancellation()
                try file.append(piece)
                length += Int64(piece.count)
            }
        } catch {
            #if os(Linux) || os(Android)
            file.close()
            #else
            unlink(url.path)
            #endif
            throw error
        }
        self.length = length
    }

    deinit {
        #if os(Linux) || os(Android)
        file.close()
        #else
        unlink(url.path)
        #endif
    }

    /// A new stream of the copy.
    var stream: InputStream? {
        #if os(Linux) || os(Android)
        SpoolStream(self)
        #else
        InputStream(url: url)
        #endif
    }
}

#if os(Linux) || os(Android)
/// A stream that keeps its copy. A provider may open it after the request has completed, for example because the request was
/// cancelled. Without the copy, the number of its descriptor could then belong to another file.
private final class SpoolStream: InputStream {
    private let copy: SpoolFile

    init?(_ copy: SpoolFile) {
        self.copy = copy
        super.init(url: copy.url)
    }
}
#endif
