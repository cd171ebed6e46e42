package import Foundation
import JSONCoding
import SiestaCore

extension HARReplay {
    /// The error for a file that is not a recording or cannot be read.
    package struct UnreadableFile: LocalizedError, CustomStringConvertible {
        /// The name of the file, and the reason.
        package let description: String

        /// The same text as ``description``.
        package var errorDescription: String? { description }

        fileprivate init(_ file: URL, _ reason: String) {
            description = PreparedText.line("\(file.lastPathComponent) cannot be read as a HAR file: \(reason)")
        }
    }
}

extension HARArchive {
    /// Reads a HAR file.
    ///
    /// - Parameters:
    ///   - file: The URL of the file.
    ///   - maximumSize: The maximum size of the file, in bytes; 256 MB by default.
    /// - Throws: ``HARReplay/UnreadableFile`` if the file cannot be read, is too large, or does not have the format HAR.
    package init(contentsOf file: URL, maximumSize: Int = 256 << 20) throws {
        do {
            try self.init(data: Self.contents(of: file, maximumSize))
        } catch let error as HARReplay.UnreadableFile {
            throw error
        } catch let error as DecodingError {
            throw HARReplay.UnreadableFile(file, error.reason)
        } catch {
            throw HARReplay.UnreadableFile(file, PreparedText.error(error))
        }
    }

    /// Reads a file that is no pipe and no device, because these may have no end. Asks the open file for its size: a
    /// link has another one.
    private static func contents(of file: URL, _ maximumSize: Int) throws -> Data {
        let descriptor = try FileDescriptor(file.path, O_RDONLY)
        defer { descriptor.close() }
        let status = try descriptor.status()
        guard status.isFile else { throw HARReplay.UnreadableFile(file, "it is not a regular file") }
        let size = status.size
        guard size <= maximumSize else {
            throw HARReplay.UnreadableFile(file, "it has \(size) bytes, and the limit is \(maximumSize) bytes")
        }
        return try descriptor.contents(count: size)
    }

    /// Reads the content of a HAR file.
    ///
    /// - Throws: A `DecodingError` if the data does not have the format HAR.
    package init(data: Data) throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        self = try JSONCoding.decode(Self.self, from: data.starts(with: mark) ? data.dropFirst(3) : data)
    }

    /// The content of a HAR file: JSON text with sorted members. Equal archives have equal data.
    package var data: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            return try encoder.encode(self)
        }
    }

    /// Writes a HAR file. Only the system account that runs the process may read the file. An existing file is replaced
    /// completely or, if there is an error, not at all.
    ///
    /// - Throws: An error of the file system, which names the file.
    package func write(to file: URL) throws {
        let data = try data
        let folder = try Folder.openShared(file.deletingLastPathComponent().path)
        try folder.whileLocked { try Self.write(data, to: file.lastPathComponent, in: folder) }
    }

    private static func write(_ data: Data, to name: String, in folder: Folder) throws {
        let newName = ".\(name).new"
        _ = try? folder.remove(newName)  // remained after a crash
        let descriptor = try folder.newFile(newName)
        do {
            defer { descriptor.close() }
            try descriptor.append(data)
            try descriptor.synchronize()
            try folder.move(newName, to: folder, as: name)
        } catch {
            _ = try? folder.remove(newName)
            throw error
        }
    }
}

extension DecodingError {
    /// The path to the member that is missing or wrong, and what is wrong with it.
    fileprivate var reason: String {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
            return (path.isEmpty ? "" : "at \(path.drop { $0 == "." }): ") + context.debugDescription
        @unknown default: return PreparedText.error(self)
        }
    }
}
