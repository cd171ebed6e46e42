import Foundation
import LoopbackServer
import SampleServer
import Siesta
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Samples {
    /// The article "Transfers".
    @MainActor
    struct Transfers {
        let server = stage.newServer()
        let service = Service(baseURL: "https://api.example.com")
        let temporary = SampleFolder()
        var folder: URL { temporary.url }
        var video: Resource { service.resource("/videos/9") }

        @Test func `A form contains a file`() async throws {
            server.answer("POST /albums/7", .json("{}", status: 201))
            let album = service.resource("/albums/7")
            let photo = try temporary.file("photo.jpg", Data("picture".utf8))
            var form = MultipartForm()
            form.append("Holiday", name: "title")
            form.append(file: photo, name: "photo", contentType: "image/jpeg")
            let answer = try await album.request(.post, body: .multipart(form)).value
            #expect(answer.jsonDict.isEmpty)
            #expect(server.lastBody?.contains("name=\"title\"\r\n\r\nHoliday\r\n") == true)
            #expect(server.lastBody?.contains("Content-Type: image/jpeg\r\n\r\npicture\r\n") == true)
        }

        @Test func `A file is sent`() async throws {
            server.answer("PUT /videos/9", .status(204))
            _ = try temporary.file("video.mp4", Data("film".utf8))
            _ = try await video.request(
                .put, body: .file(folder.appendingPathComponent("video.mp4"), contentType: "video/mp4")
            )
            .value
            #expect(server.lastBody == "film")
            #expect(server.requests.first?.header("Content-Type") == "video/mp4")
        }

        @Test func `A stream is sent`() async throws {
            server.answer("POST /log", .status(204))
            let readings = AsyncStream<Data> { continuation in
                for number in 1...1000 { continuation.yield(Data("\(number)\n".utf8)) }
                continuation.finish()
            }
            _ = try await service.resource("/log").request(.post, body: .stream(readings, contentType: "text/plain"))
                .value
            #expect(server.lastBody == (1...1000).map { "\($0)\n" }.joined())
        }

        @Test func `A response becomes a file`() async throws {
            server.answer("GET /videos/9", .bytes(Data("film".utf8)))
            let download = video.download(to: folder.appendingPathComponent("video.mp4"))
            download.onProgress { print("\(Int($0 * 100)) %") }
            let file: URL = try await download.value.content()
            #expect(try Data(contentsOf: file) == Data("film".utf8))
            #expect(file.lastPathComponent == "video.mp4")
            #expect(stage.printed.last == "100 %")
        }

        @Test func `A download continues where it was cancelled`() async throws {
            server.answer(
                "GET /videos/9",
                .script {
                    try $0.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 8\r\n\r\nhalf")
                    $0.waitForDisconnect()
                },
                .script {
                    let headers = ["ETag: \"1\"", "Content-Range: bytes 4-7/8"]
                    try $0.respond($0.request.header("Range") == "bytes=4-" ? 206 : 400, headers: headers, text: "done")
                })
            let file = folder.appendingPathComponent("video.mp4")
            let part = folder.appendingPathComponent(".video.mp4.part")
            let first = video.download(to: file)
            try await Poll.until { (try? Data(contentsOf: part).count) == 4 }  // sample.hidden
            first.cancel()  // Keeps the received bytes in a hidden file.
            let rest = video.download(to: file)  // Requests only the missing bytes.
            _ = try await rest.value
            #expect(try Data(contentsOf: file) == Data("halfdone".utf8))
        }

        @Test func `The cause of a failure says what has failed`() async throws {
            func watch(_ rest: any Request) {
                rest.onFailure { error in
                    switch (error.code, error.cause as? RequestError.Failure) {
                    case (.fileNotWritten, let failure?): print(failure)  // The file, and the error of the system.
                    case (.unreadableBody, let failure?):
                        print(failure.file?.path ?? "", failure.underlyingError ?? failure)
                    case (.streamingUnsupported, _): print("This network does not stream.")
                    default: print(error.userMessage)
                    }
                }
            }
            watch(video.download(to: folder.appendingPathComponent("missing/video.mp4")))
            try await stage.hasPrinted("fileNotWritten: \(folder.path)")
            watch(video.request(.put, body: .file(folder.appendingPathComponent("no.mp4"), contentType: "video/mp4")))
            try await Poll.until { stage.printed.count == 2 }
            let wholeBodies = Service(baseURL: "https://api.example.com", networking: CountingProvider())
            watch(wholeBodies.resource("/videos/9").download(to: folder.appendingPathComponent("video.mp4")))
            try await stage.hasPrinted("This network does not stream.")
            watch(video.download(to: folder.appendingPathComponent("video.mp4")))
            try await stage.hasPrinted(UserMessages.current.statusPhrase(404))
            #expect(stage.printed.count == 4)
        }

        @Test func `Leaving the loop ends the transfer`() async throws {
            let size = 2_000_000
            server.answer(
                "GET /videos/9",
                .script {
                    try $0.send("HTTP/1.1 200 OK\r\nContent-Length: \(2 * size)\r\n\r\n")
                    try $0.send(Data(count: size))
                    $0.waitForDisconnect()
                })
            var count = 0
            for try await piece in video.bytes {
                count += piece.count
                if count > 1_000_000 { break }  // Leaving the loop ends the transfer.
            }
            #expect(count > 1_000_000)
        }

        @Test func `Lines are read while they arrive`() async throws {
            server.answer("GET /events", .text("data: one\n\ndata: two\n"))
            let events = service.resource("/events").bytes {
                $0.setValue("text/event-stream", forHTTPHeaderField: "Accept")
            }
            for try await line in events.lines(limit: 10_000) {
                print(line)
            }
            #expect(stage.printed == ["data: one", "", "data: two"])
            #expect(server.requests.first?.header("Accept") == "text/event-stream")
        }

        @Test func `A task off the main actor reads, until it is cancelled`() async throws {
            server.answer(
                "GET /videos/9",
                .script {
                    try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
                    $0.waitForDisconnect()
                })
            let video = video
            let checksum = Task.detached {
                var sum: UInt32 = 0
                for try await piece in video.bytes {
                    for byte in piece { sum = sum &* 31 &+ UInt32(byte) }
                }
                return sum
            }
            try await Poll.until { server.received.count == 1 }  // sample.hidden
            checksum.cancel()  // Ends the transfer; the loop throws an error.
            let error = await #expect(throws: RequestError.self) { try await checksum.value }
            #expect(error?.cause is RequestError.Cause.RequestCancelled)
        }
    }
}
