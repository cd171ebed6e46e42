import Foundation
import Siesta

// Types of Siesta behind protocols, base classes and generics without isolation.

protocol BookSource {
    var books: Resource { get }
    func book(_ id: Int) -> Resource
    func add(_ book: Book) -> Request
}

extension BookshopAPI: BookSource {}

protocol Screen: AnyObject {
    var title: String { get }
    func appear()
    func disappear()
}

class BaseScreen: Screen, CustomStringConvertible {
    private(set) var appearances = 0
    var title: String { return "base" }
    var description: String { return "base screen" }

    init() {}

    func appear() { appearances += 1 }
    func disappear() {}
}

/// Observes, and overrides members of a class without isolation.
class ShopScreen: BaseScreen, ResourceObserver {
    let source: BookSource
    weak var resource: Resource?
    unowned let owner: AnyObject
    private var events: [ResourceEvent] = []

    init(source: BookSource, owner: AnyObject) {
        self.source = source
        self.owner = owner
        super.init()
    }

    override var title: String { return resource?.book?.title ?? super.title }
    override var description: String { return "shop screen \(events)" }

    override func appear() {
        super.appear()
        resource = source.book(1)
        resource?.addObserver(self).loadIfNeeded()
    }

    override func disappear() {
        resource?.removeObservers(ownedBy: self)
        resource?.cancelLoadIfUnobserved()
    }

    func resourceChanged(_ resource: Resource, event: ResourceEvent) { events.append(event) }
}

extension ShopScreen: Equatable, Comparable {
    static func == (left: ShopScreen, right: ShopScreen) -> Bool { return left.title == right.title }
    static func < (left: ShopScreen, right: ShopScreen) -> Bool { return left.title < right.title }
}

/// Observes with a delegate, for any model.
final class ResourceAdapter<Model> {
    private let resource: Resource
    private let show: (Model?) -> Void
    private(set) lazy var latest: Model? = resource.typedContent()

    init(_ resource: Resource, show: @escaping (Model?) -> Void) {
        self.resource = resource
        self.show = show
        resource.addObserver(self, owner: self)
    }
}

extension ResourceAdapter: ResourceObserver {
    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        show(resource.typedContent())
    }
}

enum LoadState {
    case idle
    case loading(Request)
    case failed(RequestError)
    case ready(Entity<Any>)

    init(_ resource: Resource) {
        if let request = resource.loadRequests.first {
            self = .loading(request)
        } else if let error = resource.latestError {
            self = .failed(error)
        } else if let data = resource.latestData {
            self = .ready(data)
        } else {
            self = .idle
        }
    }
}

func title<Source: TypedContentAccessors>(in source: Source) -> String {
    return source.book?.title ?? source.jsonDict["title"] as? String ?? source.text
}

struct Existentials {
    let patterns: [ConfigurationPatternConvertible]
    let urls: [URLConvertible]
    let described: [CustomStringConvertible]
    let hashed: [AnyHashable]
    var byResource: [Resource: Int]

    init(_ service: Service, _ regex: NSRegularExpression) {
        let resource = service.resource("/x")
        patterns = ["/x", regex, resource]
        urls = ["https://h.test", resource.url]
        described = [resource, RequestMethod.get.rawValue, ResourceEvent.requested, ResourceEvent.NewDataSource.wipe]
        hashed = [resource, service, PipelineStageKey.model]
        byResource = [resource: 1]
        byResource[service.resource("/y"), default: 0] += 1
    }

    func outcome(of response: Response) throws -> String {
        if case .failure(let error) = response, error.httpStatusCode == 404 { return "missing" }
        return try response.map { $0.withContentRetyped() as Entity<String>? }.get()?.content ?? "-"
    }
}
