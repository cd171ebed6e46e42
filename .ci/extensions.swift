// Code of apps that declares names for which the library has hints: in extensions, and as the defaults of its own protocols.
import Foundation
import Siesta

protocol ShownError {
    var isCancelled: Bool { get }
    var message: String { get }
    var data: Data? { get }
}

extension ShownError {
    var isCancelled: Bool { false }
    var message: String { "" }
    var data: Data? { nil }
}

extension RequestError: ShownError {}

@MainActor
protocol Clearable {
    var isLoaded: Bool { get }
    var content: Any? { get }
    func clear()
    func refresh() -> any Siesta.Request
}

extension Clearable {
    var isLoaded: Bool { false }
    var content: Any? { nil }
    func clear() {}
    func refresh() -> any Siesta.Request { fatalError() }
}

extension Resource: Clearable {}

extension Resource {
    var contents: Int { 1 }
    func observe(_ action: @escaping () -> Void) {}
}

extension RequestError {
    var json: Int { 1 }
}

extension Siesta.Request {
    var isCancelled: Bool { false }
    var result: Int { 0 }
}

extension Configuration {
    var staleTime: Int { 1 }
}

extension TypedContentAccessors {
    var json: Int { 1 }
}

@MainActor
func use(_ resource: Resource, _ error: RequestError, _ request: any Siesta.Request, _ configuration: Configuration) {
    let _: Int = resource.contents
    let _: Int = error.json
    let _: Int = request.result
    let _: Int = configuration.staleTime
    resource.observe { resource.clear() }
    print(error.isCancelled, error.message, resource.isLoaded, request.isCancelled)
}
