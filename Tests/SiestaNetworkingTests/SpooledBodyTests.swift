#if os(Linux)
import Foundation
import FoundationNetworking
import SiestaCore
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing

/// The copies of bodies for networks that do not stream.
@Suite(.timeLimit(.test))
struct SpooledBodyTests {
    @Test func `A process that is killed while it sends a large body leaves no copy of it`() async throws {
        let folder = try TemporaryFolder()
        let part = try folder.file("part", Data(repeating: 1, count: 3 << 20))
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.url.path as String, part = part as URL] in
            setenv("TMPDIR", path, 1)
            try await Self.send(part)
            kill(getpid(), SIGKILL)
        }
        #expect(try folder.files == ["part"])
    }

    /// Begins to send a form, and returns when the network has its request.
    @MainActor
    private static func send(_ file: URL) async throws {
        let stub = StubbedResource()
        stub.network.answer(.post, "/thing", with: .held)
        var form = MultipartForm()
        form.append(file: file, name: "file")
        let request = stub.resource.request(.post, body: .multipart(form))
        let exchange = try await stub.network.exchange(1)
        guard let body = exchange.request.httpBodyStream else { exit(1) }
        body.open()
        var bytes = [UInt8](repeating: 0, count: 1000)
        guard body.read(&bytes, maxLength: 1000) > 0 else { exit(2) }
        withExtendedLifetime(request) {}
    }
}
#endif
