#if os(Linux)
import Foundation
import FoundationNetworking
import Isolation
import LoopbackServer
import SiestaCore
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing

/// The memory and the time of large transfers, measured in separate processes. The server is in another process.
///
/// At the level ``TestLevel/soak``, each transfer has 2 GB, and less than 60 MB may be resident. Otherwise each has 128
/// MB.
@Suite(
    .serialized, .disabled(if: TestLevel.isSanitized, "a sanitizer's memory is not ours"), .timeLimit(.model))
struct LargeTransferTests {
    private static let size = TestLevel.count(128 << 20, nightly: 128 << 20, soak: 2 << 30)

    /// The measurements of one transfer.
    private struct Report: Codable {
        var failure: String?
        /// The maximum resident memory in bytes, before the transfer and until its end.
        var (before, peak) = (0, 0)
        var seconds = 0.0
        var progress: [Double] = []

        /// The largest step from one progress report to the next.
        var largestStep: Double { zip(progress.dropFirst(), progress).map { $0 - $1 }.max() ?? 1 }
    }

    /// The ways to send a file.
    private enum Body: String, CaseIterable {
        case file, form, stream

        @MainActor
        func upload(_ file: URL, _ size: Int, to resource: Resource) -> any Request {
            switch self {
            case .file:
                return resource.request(.put, body: .file(file))
            case .form:
                var form = MultipartForm()
                form.append("text", name: "title")
                form.append(file: file, name: "file")
                return resource.request(.post, body: .multipart(form))
            case .stream:
                let handle = try? FileHandle(forReadingFrom: file)
                let pieces = AsyncStream { (try? handle?.read(upToCount: 100_000)).flatMap { $0.isEmpty ? nil : $0 } }
                return resource.request(.put, body: .stream(pieces, length: Int64(size)))
            }
        }
    }

    @Test(arguments: Body.allCases)
    private func `An upload takes up little memory, and its progress is smooth`(_ body: Body) async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        try Data().write(to: file)
        #expect(truncate(file.path, Self.size) == 0)  // uses no space on the disk
        let counts = Locked(0)
        let server = try LoopbackServer.serving { connection in
            guard let head = connection.head(), let length = head.header("Content-Length").flatMap(Int.init) else {
                return
            }
            var count = 0
            while count < length, case let piece = connection.receive(), !piece.isEmpty { count += piece.count }
            counts.withLock { $0 = count }
            try connection.send("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        }
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            [
                url = server.url().absoluteString as String, path = file.path as String, body = body.rawValue as String,
                size = Self.size as Int
            ] in
            await Self.report(from: url) { Body(rawValue: body)?.upload(URL(fileURLWithPath: path), size, to: $0) }
        }
        try check(result, "upload of a \(body)")
        #expect(counts.withLock { $0 } >= Self.size)
    }

    @Test func `A download takes up little memory, and its progress is smooth`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        let server = try LoopbackServer { [size = Self.size] exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: \(size)\r\n\r\n")
            let piece = Data(count: 1 << 20)
            for _ in 0..<size >> 20 { try exchange.send(piece) }
        }
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            [url = server.url().absoluteString as String, path = file.path as String] in
            await Self.report(from: url) { $0.download(to: URL(fileURLWithPath: path)) }
        }
        try check(result, "download")
        #expect(try file.resourceValues(forKeys: [.fileSizeKey]).fileSize == Self.size)
        #expect(try folder.files == ["file"])
    }

    /// Makes a request, and writes its measurements to standard output.
    @MainActor
    private static func report(from url: String, _ start: @MainActor (Resource) -> (any Request)?) async {
        let service = Service(baseURL: url)
        if TestLevel.current < .soak { service.configure { $0.progressReportingInterval = 0.001 } }
        var report = Report()
        report.before = peakMemory
        let began = ContinuousClock.now
        guard let request = start(service.resource("/")) else { return }
        request.onProgress { report.progress.append($0) }
        report.failure = await request.completion().failure.map { "\($0)" }
        report.seconds = (ContinuousClock.now - began) / .seconds(1)
        report.peak = peakMemory
        let data = (try? JSONEncoder().encode(report)) ?? Data()
        FileHandle.standardOutput.write(Data("\nREPORT".utf8) + data + Data("\n".utf8))
    }

    /// The maximum resident memory of this process so far, in bytes.
    private static var peakMemory: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }

    private func check(_ result: ExitTest.Result?, _ name: String) throws {
        let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
        let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("REPORT") })
        let report = try JSONDecoder().decode(Report.self, from: Data(line.dropFirst("REPORT".count).utf8))
        #expect(report.failure == nil)
        #expect(report.progress == report.progress.sorted())
        #expect(report.progress.count > 10)
        #expect(report.largestStep < (TestLevel.current == .soak ? 0.1 : 0.5))
        #expect(report.peak - report.before < 30_000_000)
        guard TestLevel.current == .soak else { return }
        #expect(report.peak < 60_000_000)
        let figures = [
            "\(name) of \(Self.size >> 20) MB: \(Int(report.seconds * 1000)) ms",
            "\(report.peak / 1_000_000) MB resident at most, \(report.before / 1_000_000) MB of them before it began",
            "\(report.progress.count) reports of progress, the largest step \(report.largestStep)",
        ]
        FileHandle.standardError.write(Data((figures.joined(separator: "; ") + "\n").utf8))
    }
}
#endif
