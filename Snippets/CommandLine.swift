// The code of the article about command-line tools and servers. It is compiled, not run.
import Foundation
import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct User: Codable, Sendable {
    var id: Int
    var name: String
}

// snippet.tool
let api = Service(baseURL: "https://api.example.com")
api.decode("/users/*", as: User.self)
let ada = api.resource("/users/42", as: User.self)

do throws(RequestError) {
    print(try await ada.fresh().name)
} catch {
    FileHandle.standardError.write(Data("\(error.userMessage)\n".utf8))
    exit(1)
}
// snippet.end

// snippet.shared
async let first = ada.fresh()
async let second = ada.fresh()
let users = try await [first, second]  // Both calls wait for one request.
// snippet.end

// snippet.retry
/// Returns the user. If the first attempt fails, asks the server once more.
@MainActor
func userAfterTwoAttempts() async throws(RequestError) -> User {
    if let user = try? await ada.fresh() { return user }
    ada.invalidate()
    return try await ada.fresh()
}
// snippet.end

// snippet.timeout
api.configure {
    $0.mutateRequests { $0.timeoutInterval = 10 }
}
// snippet.end

// snippet.configure
final class TeamAPI: Service {
    var token: String? {
        didSet { invalidateConfiguration() }
    }

    init() {
        super.init(baseURL: "https://api.example.com")
        configure { [weak self] in
            if let token = self?.token { $0.headers["Authorization"] = "Bearer \(token)" }
        }
    }
}
// snippet.end

// snippet.server
@MainActor
final class Backends {
    private var services: [String: TeamAPI] = [:]

    func service(for user: String) -> TeamAPI {
        if let known = services[user] { return known }
        let service = TeamAPI()
        services[user] = service
        return service
    }

    func end(for user: String) {
        services[user]?.wipeResources(includingCaches: true)
        services[user] = nil
    }
}
// snippet.end

// snippet.memory
try api.flushUnusedResources(under: MemoryPressure.system())
// snippet.end

print(users.count, try await userAfterTwoAttempts().name, Backends().service(for: "ada"))
