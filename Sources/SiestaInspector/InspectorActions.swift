import Foundation
import JSONCoding
import SiestaCore
import SiestaJSON
import SiestaRecording

/// Carries out the actions of the page.
struct InspectorActions: Sendable {
    let feed: InspectorFeed
    let permissions: Inspector.Permissions

    private static let done = HTTPReply.json(Array("{}".utf8))

    @MainActor
    func perform(_ name: String, _ body: [UInt8]) -> HTTPReply {
        guard permissions == .full else { return .notPermitted }
        guard let arguments = try? JSONValue(parsing: Data(body)) else {
            return .failure("The body is not JSON.", status: 400)
        }
        guard let service = feed.service else { return .failure("The service was released.", status: 409) }
        switch name {
        case "load", "invalidate", "wipe", "override": return change(name, arguments, service)
        case "switches", "record": return control(name, arguments, service)
        case "wipeAll":
            service.wipeResources(includingCaches: arguments["caches"]?.bool ?? false)
            return Self.done
        default: return HTTPReply(status: 404)
        }
    }

    // MARK: Resources

    @MainActor
    private func change(_ name: String, _ arguments: JSONValue, _ service: Service) -> HTTPReply {
        guard let number = arguments["id"]?.number?.int64.flatMap({ Int(exactly: $0) }),
            let address = feed.address(of: number), let resource = service.inspectedResource(at: address)
        else { return .failure("The service has dropped this resource.", status: 409) }
        defer { feed.touch(number) }
        switch name {
        case "load": _ = resource.load()
        case "invalidate": resource.invalidate()
        case "wipe": resource.wipe(includingCaches: arguments["caches"]?.bool ?? false)
        default: return override(resource, with: arguments["json"] ?? .null)
        }
        return Self.done
    }

    /// Replaces the content by a value of the same type, so that observers find the type that they expect.
    @MainActor
    private func override(_ resource: Resource, with json: JSONValue) -> HTTPReply {
        let current = resource.snapshot.data?.content
        let json = current.map { RedactedJSON.restored(json, from: $0) } ?? json
        switch (current, json) {
        case (is String, .string(let text)): resource.overrideLocalContent(with: text)
        case (is Data, _): resource.overrideLocalContent(with: json.data)
        // An array such as `[String]` is a valid JSON object, and has a type of its own.
        case (let content?, _)
        where Swift.type(of: content) is any Decodable.Type || !JSONSerialization.isValidJSONObject(content):
            guard let type = Swift.type(of: content) as? any Decodable.Type else {
                let name = PreparedText.line("\(Swift.type(of: content))", limit: 200)
                return .failure("The content is of type \(name), which is not Decodable.", status: 422)
            }
            do { resource.overrideLocalContent(with: try JSONCoding.decode(type, from: json.data)) } catch {
                return .failure(PreparedText.error(error), status: 422)
            }
        default:
            let value = try? JSONCoding.object(with: json.data, allowingFragments: false)
            guard let value else { return .failure("The content must be a JSON object or array.", status: 422) }
            resource.overrideLocalContent(with: value)
        }
        return Self.done
    }

    // MARK: Network

    @MainActor
    private func control(_ name: String, _ arguments: JSONValue, _ service: Service) -> HTTPReply {
        guard let control = service.interceptor as? NetworkControl else {
            return .failure(
                "Pass InspectorNetwork() as the networking of the service to change or record its network.",
                status: 409)
        }
        if name == "record" {
            if arguments["on"]?.bool == true { control.recorder?.start() } else { control.recorder?.stop() }
        } else {
            control.switches = NetworkSwitches(arguments)
        }
        return Self.done
    }
}

extension NetworkSwitches {
    /// Reads the switches of the page. Values that are missing or out of range mean no fault.
    init(_ json: JSONValue) {
        isOffline = json["offline"]?.bool ?? false
        delay = min(max(0, json["delay"]?.number?.double ?? 0), Self.maximumDelay)
        failureRate = min(max(0, json["rate"]?.number?.double ?? 0), 1)
        let status = json["status"]?.number?.int64 ?? 503
        failureStatus = 400...599 ~= status ? Int(status) : nil
        failingOrigins = Set((json["origins"]?.elements ?? []).prefix(100).compactMap(\.text))
    }
}
