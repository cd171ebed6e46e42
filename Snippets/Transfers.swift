// The code of the article about transfers. It is compiled, not run.
import Foundation
import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

let service = Service(baseURL: "https://api.example.com")
let album = service.resource("/albums/7")
let video = service.resource("/videos/9")
let folder = FileManager.default.temporaryDirectory
let photo = folder.appendingPathComponent("photo.jpg")

// snippet.form
var form = MultipartForm()
form.append("Holiday", name: "title")
form.append(file: photo, name: "photo", contentType: "image/jpeg")
let answer = try await album.upload(.post, multipart: form).value
// snippet.end
print(answer.content)

// snippet.file
_ = try await video.upload(.put, file: folder.appendingPathComponent("video.mp4"), contentType: "video/mp4").value
// snippet.end

// snippet.stream
let readings = AsyncStream<Data> { continuation in
    for number in 1...1000 { continuation.yield(Data("\(number)\n".utf8)) }
    continuation.finish()
}
_ = try await service.resource("/log").upload(.post, stream: readings, contentType: "text/plain").value
// snippet.end

// snippet.download
let download = video.download(to: folder.appendingPathComponent("video.mp4"))
download.onProgress { print("\(Int($0 * 100)) %") }
let file: URL = try await download.content()
// snippet.end
print(file.path)

// snippet.cancel
let first = video.download(to: file)
first.cancel()  // Keeps the received bytes in a hidden file.
let rest = video.download(to: file)  // Requests only the missing bytes.
// snippet.end
rest.cancel()

// snippet.errors
rest.onFailure { error in
    switch error.cause {
    case let failure as RequestError.Cause.FileFailure: print(failure.file.path, failure.code)
    case let unreadable as RequestError.Cause.UnreadableBody: print(unreadable.underlyingError)
    case is RequestError.Cause.StreamingUnsupported: print("This network does not stream.")
    default: print(error.userMessage)
    }
}
// snippet.end

// snippet.bytes
var count = 0
for try await piece in video.bytes {
    count += piece.count
    if count > 1_000_000 { break }  // Leaving the loop ends the transfer.
}
// snippet.end

// snippet.lines
let events = service.resource("/events").bytes { $0.setValue("text/event-stream", forHTTPHeaderField: "Accept") }
for try await line in events.lines(limit: 10_000) {
    print(line)
}
// snippet.end

// snippet.concurrently
let checksum = Task.detached {
    var sum: UInt32 = 0
    for try await piece in video.bytes {
        for byte in piece { sum = sum &* 31 &+ UInt32(byte) }
    }
    return sum
}
checksum.cancel()  // Ends the transfer; the loop throws an error.
// snippet.end
