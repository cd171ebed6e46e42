public import Foundation

/// What the system said to a call about a file.
public struct FileSystemError: LocalizedError, CustomStringConvertible, Hashable, Sendable {
    /// The call.
    public let call: String
    /// The file or folder.
    public let path: String
    /// The error number.
    public let code: Int32

    init(_ call: String, _ path: String, code: Int32 = errno) {
        (self.call, self.path, self.code) = (call, path, code)
    }

    /// Names the call, the file and the reason.
    public var errorDescription: String? { description }

    /// The same as ``errorDescription``.
    public var description: String { PreparedText.line("\(call) \(path): \(String(cString: strerror(code)))") }
}

/// An open file, which is closed by whoever opened it.
struct FileDescriptor {
    let number: CInt
    let path: String

    /// Opens a file. It is not passed on to other programs, and does not wait for anybody.
    init(_ path: String, _ flags: CInt, mode: mode_t = 0o600) throws(FileSystemError) {
        self.path = path
        number = open(path, flags | O_CLOEXEC | O_NONBLOCK, mode)
        guard number >= 0 else { throw FileSystemError("open", path) }
    }

    func close() { closeDescriptor(number) }

    func status() throws(FileSystemError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw FileSystemError("fstat", path) }
        return status
    }

    /// The first `count` bytes, or as many as there are.
    func contents(count: Int) throws(FileSystemError) -> Data {
        var data = Data(count: count)
        var (done, failure) = (0, CInt(0))
        data.withUnsafeMutableBytes { buffer in
            while done < count, let start = buffer.baseAddress {
                let length = read(number, start + done, count - done)
                if length < 0, errno == EINTR { continue }
                if length < 0 { failure = errno }
                guard length > 0 else { break }
                done += length
            }
        }
        guard failure == 0 else { throw FileSystemError("read", path, code: failure) }
        return done == count ? data : data.prefix(done)
    }

    func append(_ data: Data) throws(FileSystemError) {
        let failure: CInt = data.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count, let start = buffer.baseAddress {
                let length = write(number, start + done, buffer.count - done)
                if length < 0, errno == EINTR { continue }
                guard length > 0 else { return length < 0 ? errno : EIO }
                done += length
            }
            return 0
        }
        guard failure == 0 else { throw FileSystemError("write", path, code: failure) }
    }

    /// Waits until the content, or a folder's entries, outlast a failure of power.
    func synchronize() throws(FileSystemError) {
        #if canImport(Darwin)
        if fcntl(number, F_FULLFSYNC) == 0 { return }  // `fsync` does not empty the disk's own buffer there.
        #endif
        guard fsync(number) == 0 else { throw FileSystemError("fsync", path) }
    }

    /// Sets the time of the last change, in nanoseconds since 1970.
    func setModificationTime(_ time: Int64) {
        let time = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        _ = futimens(number, [time, time])
    }
}

/// The system's `close`, whose name the method takes.
private func closeDescriptor(_ number: CInt) { close(number) }

/// The calls about paths that the file store makes.
enum FileSystem {
    static func makeFolder(_ path: String) throws(FileSystemError) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        let code = errno
        let parent = (path as NSString).deletingLastPathComponent
        guard code == ENOENT, !parent.isEmpty, parent != path else { throw FileSystemError("mkdir", path, code: code) }
        try makeFolder(parent)
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw FileSystemError("mkdir", path)
    }

    static func move(_ source: String, to target: String) throws(FileSystemError) {
        guard rename(source, target) != 0 else { return }
        throw FileSystemError("rename", target)
    }

    /// Removes a file, if it is there; tells whether it was.
    @discardableResult
    static func remove(_ path: String) throws(FileSystemError) -> Bool {
        guard unlink(path) != 0 else { return true }
        guard errno == ENOENT else { throw FileSystemError("unlink", path) }
        return false
    }

    /// Removes a folder and everything in it, as far as that is possible.
    static func removeTree(_ path: String) {
        for name in (try? names(in: path)) ?? [] {
            if unlink("\(path)/\(name)") != 0 { removeTree("\(path)/\(name)") }
        }
        rmdir(path)
    }

    /// The names in a folder; none if it does not exist.
    static func names(in path: String) throws(FileSystemError) -> [String] {
        guard let folder = opendir(path) else {
            guard errno == ENOENT else { throw FileSystemError("opendir", path) }
            return []
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Writes all of the file system to the disk that has `path`, which takes less time than many files one by one;
    /// tells whether it could.
    static func synchronizeAll(at path: String) -> Bool {
        #if os(Linux)
        // The C library declares `syncfs` for those alone who ask for more than POSIX, which Swift does not.
        typealias Synchronize = @convention(c) (CInt) -> CInt
        guard let symbol = dlsym(nil, "syncfs"), let folder = try? FileDescriptor(path, O_RDONLY) else { return false }
        defer { folder.close() }
        return unsafeBitCast(symbol, to: Synchronize.self)(folder.number) == 0
        #else
        return false
        #endif
    }

    /// What the system knows of a file itself, links not followed; nil if there is none.
    static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    /// Wall time in nanoseconds since 1970.
    static var time: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Whether a time cannot be later than `now` for any other reason than that the clock was set back.
    static func isInFuture(_ time: Int64, now: Int64) -> Bool { time > now + 1_000_000_000 }
}

extension stat {
    var isFile: Bool { st_mode & S_IFMT == S_IFREG }

    /// Nanoseconds since 1970.
    var modificationTime: Int64 {
        #if canImport(Darwin)
        let time = st_mtimespec
        #else
        let time = st_mtim
        #endif
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
