#if os(Linux)
import Foundation
import Isolation

/// A network namespace of Linux: a thread that sees only network interfaces of its own.
///
/// The thread belongs to no pool, and ends when this object is released. Then the kernel removes the namespace.
final class NetworkNamespace: Sendable {
    /// The error if a command fails in the namespace.
    struct Failure: Error {
        let command: String
        let status: Int32
    }

    private struct State: Sendable {
        var work: [@Sendable () -> Void] = []
        var isEnded = false
    }

    private static let ip = ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip", "/bin/ip"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// The reason why no namespace can be made and configured here; nil if it can.
    static let obstacle: String? = {
        if ip == nil { return "the program ip is not installed; on Debian, it is in the package iproute2" }
        let (code, done) = (Locked<CInt>(0), DispatchSemaphore(value: 0))
        Thread {
            let result = enter()
            code.withLock { $0 = result }
            done.signal()
        }.start()
        done.wait()
        let result = code.withLock { $0 }
        return result == 0 ? nil : "network namespaces are not permitted: \(String(cString: strerror(result)))"
    }()

    private let state = Locked(State())
    private let hasWork = DispatchSemaphore(value: 0)

    init() {
        let (state, hasWork) = (state, hasWork)
        Thread {
            let code = Self.enter()
            guard code == 0 else { preconditionFailure("unshare: \(code)") }
            while true {
                hasWork.wait()
                let next = state.withLock { $0.work.isEmpty ? nil : $0.work.removeFirst() }
                guard let next else { return }
                next()
            }
        }.start()
    }

    deinit {
        hasWork.signal()  // no work: the thread ends
    }

    /// Runs `body` on the thread.
    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            state.withLock { state in
                state.work.append { continuation.resume(with: Swift.Result { try body() }) }
            }
            hasWork.signal()
        }
    }

    /// Moves an interface of this namespace into another one.
    func move(_ interface: String, to other: NetworkNamespace) async throws {
        let thread = try await other.run {
            try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        }
        try await ip("link set \(interface) netns \(thread.split(separator: "/").last ?? "")")
    }

    /// Runs the program `ip` in the namespace. A child process inherits the namespace of the thread that starts it.
    ///
    /// `Process` of Foundation would start threads of its own in the namespace.
    func ip(_ arguments: String) async throws {
        try await run {
            let status = Self.spawn([Self.ip ?? "ip"] + arguments.split(separator: " ").map(String.init))
            guard status == 0 else { throw Failure(command: arguments, status: status) }
        }
    }

    /// Runs a program with an empty environment. Returns an error number, or the status of the program.
    private static func spawn(_ arguments: [String]) -> CInt {
        var process = pid_t()
        var pointers = arguments.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        defer { for pointer in pointers { free(pointer) } }
        let code = posix_spawn(&process, arguments[0], nil, nil, &pointers, &environment)
        guard code == 0 else { return code }
        var status: CInt = 0
        return uninterrupted { waitpid(process, &status, 0) } == process ? status : errno
    }

    /// Moves the calling thread into a new namespace. Returns an error number, or zero.
    private static func enter() -> CInt {
        // The module Glibc does not contain this function.
        guard let unshare = dlsym(dlopen(nil, RTLD_NOW), "unshare") else { return ENOSYS }
        let newNetwork: CInt = 0x4000_0000
        return unsafeBitCast(unshare, to: (@convention(c) (CInt) -> CInt).self)(newNetwork) == 0 ? 0 : errno
    }
}
#endif
