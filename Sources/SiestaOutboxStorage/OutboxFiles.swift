import Foundation
import SiestaCore
import SiestaCaches
import SiestaWriting

/// The folder of an outbox: the lock, and the files of bodies.
///
/// ```text
/// folder/lock           locked as long as an outbox uses the folder
/// folder/files/NAME     a body
/// folder/files/NAME.new a body that is being written
/// ```
///
/// A plain file has the content of the body. A sealed file consists of pieces, each with its length in four bytes. The
/// context of a piece contains the name of the file, the number of the piece, and whether it is the last piece.
struct OutboxFiles: Sendable {
    let path: String
    /// The path that errors name if another outbox uses the folder.
    private let place: String
    let sealing: (any EntitySealing)?
    private var opened: (folder: Folder, files: Folder, lock: Lock)?

    private static let filesName = "files"
    private static let lockName = "lock"
    private static let newSuffix = ".new"
    /// The size of the pieces of a sealed file before they are sealed, in bytes.
    private static let pieceLength = 256 << 10
    /// The maximum size of a sealed piece. A larger number is damage.
    private static let sealedLimit = 1 << 20

    init(path: String, place: String?, sealing: (any EntitySealing)?) {
        self.path = FolderPath.normalized(path)
        self.place = place ?? self.path
        self.sealing = sealing
    }

    /// Keeps the lock until it is released. The system releases it if the process ends.
    private final class Lock: Sendable {
        let file: FileDescriptor

        /// The time for which a lock is tried, in milliseconds. A process that this process has just started holds the locks
        /// of this process until it runs its own program.
        private static let patience: useconds_t = 500

        init(_ name: String, in folder: Folder, of place: String) throws {
            file = try Self.locked(name, in: folder, of: place, patience: Self.patience)
        }

        private static func locked(
            _ name: String, in folder: Folder, of place: String, patience: useconds_t
        ) throws -> FileDescriptor {
            do throws(FileSystemError) {
                return try folder.lockedFile(name).file
            } catch {
                guard error.call == "flock", error.code == EWOULDBLOCK else { throw error }
                guard patience > 0 else { throw OutboxInUse(path: place) }
            }
            usleep(20_000)
            return try locked(name, in: folder, of: place, patience: patience > 20 ? patience - 20 : 0)
        }

        deinit { file.close() }
    }

    // MARK: The folder

    /// Creates the folder if it is missing, and locks it.
    mutating func open() throws {
        guard opened == nil else { return try check() }
        let changed = try FolderPath.make(path)
        guard let folder = try Folder.open(path) else { throw FileSystemError("open", path, code: ENOENT) }
        let lock = try Lock(Self.lockName, in: folder, of: place)
        try folder.makeFolder(Self.filesName)
        guard let files = try folder.folder(Self.filesName) else {
            throw FileSystemError("open", folder.path(of: Self.filesName), code: ENOENT)
        }
        try folder.synchronize()
        for parent in changed.reversed() { try? FolderPath.synchronize(parent) }
        opened = (folder, files, lock)
    }

    /// Unlocks the folder.
    mutating func close() { opened = nil }

    /// Throws if the folder was moved or removed. Its lock does not protect a folder that is now at its path, which would
    /// receive only the next entries, without the earlier entries and the bodies.
    func check() throws {
        guard let (folder, files, lock) = opened, folder.isStill(path, in: nil),
            files.isStill(Self.filesName, in: folder), lock.file.isStill(Self.lockName, in: folder)
        else { throw FileSystemError("open", path, code: ESTALE) }
    }

    private func files() throws -> Folder {
        guard let opened else { throw FileSystemError("open", path, code: ENOENT) }
        return opened.files
    }

    /// Removes the files that no entry uses. If `used` is nil, removes only incomplete files.
    func removeOrphans(except used: Set<String>?) throws {
        let files = try files()
        for name in try files.names() {
            let isOrphan = name.hasSuffix(Self.newSuffix) || used.map { !$0.contains(name) } ?? false
            if isOrphan { _ = try? files.remove(name) }
        }
    }

    /// Removes a file. Does nothing if it does not exist, or if the name is not that of a file of an outbox.
    func remove(_ name: String) throws {
        if Self.isName(name) { try files().remove(name) }
    }

    /// True for the names that this type makes. A damaged entry must not lead to other files.
    private static func isName(_ name: String) -> Bool { UInt128(hexadecimal: name) != nil }

    // MARK: Writing

    func keep(_ data: Data) throws -> Outbox.Body {
        var rest = data
        return try keep(length: data.count) { count in
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
    }

    /// Copies a file.
    ///
    /// - Throws: an error even if the file changes its length in the meantime.
    func keep(fileAt url: URL) throws -> Outbox.Body {
        let source = try BodyFile(url)
        var left = source.length
        return try keep(length: Int(left)) { _ in
            let piece = try source.read() ?? Data()
            left -= Int64(piece.count)
            if left == 0 { _ = try source.read() }  // Throws if the file was changed meanwhile.
            return piece
        }
    }

    /// Writes a new file. `next` returns the next bytes of the content.
    private func keep(length: Int, _ next: (Int) throws -> Data) throws -> Outbox.Body {
        let name = UInt128.random(in: 0...(.max)).hexadecimal
        var left = length
        try write(name) {
            let piece = try next(min(left, Self.pieceLength))
            left -= piece.count
            return (piece, left == 0)
        }
        return .kept(name: name, length: Int64(length))
    }

    /// True if a file was sealed with an earlier key. All pieces of a file have the same key.
    func isSealedWithFormerKey(_ name: String) throws -> Bool {
        guard let sealing else { return false }
        return !sealing.isSealedWithPresentKey(try sealedPiece(reader(of: name)))
    }

    /// Seals a file again with the current key. After a crash, the file is sealed with one of the keys.
    func sealAgain(_ name: String) throws {
        let reader = try reader(of: name)
        try write(name) {
            guard let piece = try next(reader) else { throw damage(reader) }
            return (piece, reader.isAtEnd)
        }
    }

    /// Writes a file, or replaces it.
    private func write(_ name: String, _ next: () throws -> (piece: Data, isLast: Bool)) throws {
        try check()
        let (files, new) = (try files(), name + Self.newSuffix)
        do {
            let file = try files.newFile(new)
            defer { file.close() }
            var (index, isLast) = (0, false)
            while !isLast {
                let piece: Data
                (piece, isLast) = try next()
                try file.append(stored(piece, name, index, isLast: isLast))
                index += 1
            }
            try file.synchronize()
            try files.move(new, to: files, as: name)
        } catch {
            _ = try? files.remove(new)
            throw error
        }
        try files.synchronize()
    }

    private func stored(_ piece: Data, _ name: String, _ index: Int, isLast: Bool) throws -> Data {
        guard let sealing else { return piece }
        var writer = PartWriter()
        writer.append(try sealing.seal(piece, context: Self.context(name, index, isLast: isLast)))
        return writer.bytes
    }

    private static func context(_ name: String, _ index: Int, isLast: Bool) -> Data {
        Data("Siesta outbox file \(name) \(index) \(isLast ? "last" : "not last")".utf8)
    }

    // MARK: Reading

    func url(of name: String) throws -> URL? {
        guard sealing == nil else { return nil }
        let file = try file(name)
        file.descriptor.close()
        return URL(fileURLWithPath: file.descriptor.path)
    }

    private func file(_ name: String) throws -> (descriptor: FileDescriptor, status: FileStatus) {
        let files = try files()
        guard Self.isName(name), let file = try files.file(name) else {
            throw FileSystemError("open", files.path(of: name), code: ENOENT)
        }
        return file
    }

    /// A file that is being read, piece by piece.
    final class Reader {
        fileprivate let file: FileDescriptor
        fileprivate let name: String
        fileprivate var left: Int
        fileprivate var index = 0
        fileprivate var isAtEnd = false

        fileprivate init(_ file: (descriptor: FileDescriptor, status: FileStatus), name: String) {
            (self.file, self.name, left) = (file.descriptor, name, file.status.size)
        }

        deinit { file.close() }
    }

    func reader(of name: String) throws -> Reader { Reader(try file(name), name: name) }

    /// Returns the next piece of the body; nil at its end.
    func next(_ reader: Reader) throws -> Data? {
        guard !reader.isAtEnd else { return nil }
        guard let sealing else {
            let piece = try reader.file.contents(count: min(reader.left, Self.pieceLength))
            reader.left -= piece.count
            reader.isAtEnd = reader.left == 0 || piece.isEmpty
            return piece
        }
        let piece = try sealedPiece(reader)
        let context = Self.context(reader.name, reader.index, isLast: reader.isAtEnd)
        reader.index += 1
        return try sealing.open(piece, context: context)
    }

    /// Returns the next piece as it is stored.
    private func sealedPiece(_ reader: Reader) throws -> Data {
        let head = try reader.file.contents(count: 4)
        let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
        guard head.count == 4, length <= Self.sealedLimit, length + 4 <= reader.left else { throw damage(reader) }
        reader.left -= 4 + length
        reader.isAtEnd = reader.left == 0
        return try reader.file.contents(count: length)
    }

    private func damage(_ reader: Reader) -> FileSystemError { FileSystemError("read", reader.file.path, code: EIO) }
}
