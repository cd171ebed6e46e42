import Foundation

import TestDoubles
import TestKit
import Testing
@testable import SiestaCore
@testable import SiestaNetworking

/// Files that are sent as bodies, and the changes of such files that are noticed.
@Suite(.timeLimit(.test))
struct BodyFileTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("body")
        try Data("content".utf8).write(to: url)
    }

    /// Reads to the end of a file after a change.
    private func read(after change: () throws -> Void = {}) throws -> String {
        let file = try BodyFile(url)
        try change()
        var content = Data()
        while let piece = try file.read() { content += piece }
        return String(decoding: content, as: UTF8.self)
    }

    private func overwrite(_ text: String) throws {
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: url.path)
    }

    @Test func `A file is read to its end`() throws {
        #expect(try BodyFile(url).length == 7)
        #expect(try read() == "content")
    }

    @Test func `Bytes that are added later are not read`() throws {
        #expect(try read { try overwrite("content and more") } == "content")
    }

    @Test(arguments: ["CONTENT", "short"])
    func `A file that is overwritten without growing fails`(_ text: String) {
        #expect(throws: RequestError.Failure.self) { try read { try overwrite(text) } }
    }

    @Test func `A file that is replaced under its name is read as it was`() throws {
        #expect(try read { try Data("another".utf8).write(to: url, options: .atomic) } == "content")
    }

    @Test func `A file of another length than expected fails`() throws {
        #expect(try BodyFile(url, length: 7).length == 7)
        #expect(throws: RequestError.Failure.self) { try BodyFile(url, length: 8) }
    }

    @Test(arguments: ["", "missing"])
    func `A folder or a missing file fails`(name: String) {
        let url = name.isEmpty ? folder.url : folder.url.appendingPathComponent(name)
        #expect(throws: RequestError.Failure.self) { try BodyFile(url) }
    }

    @Test func `A URL of the network fails`() throws {
        let url = try #require(URL(string: "http://a.test/body"))
        #expect(throws: RequestError.Failure.self) { try BodyFile(url) }
    }

    @Test(arguments: [-11_644_473_600.0, 10_413_792_000])
    func `A file of the year 1601 or 2300 is read`(_ time: TimeInterval) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: url.path)
        #expect(try read() == "content")
    }
}
