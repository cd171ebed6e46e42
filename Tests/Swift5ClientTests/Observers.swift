import Foundation
import Siesta

// Observers as apps for Siesta 1.5 have them: classes and structs without isolation.

/// A stand-in for a view controller: it is not isolated, owns a resource, and shows its data.
class BookViewController: NSObject, ResourceObserver {
    var events: [String] = []
    var progress: [Double] = []
    var stoppedCount = 0
    var title = ""
    var errorMessage: String?
    weak var navigation: BookViewController?
    let bookshop: BookshopAPI

    init(bookshop: BookshopAPI = .shared) {
        self.bookshop = bookshop
        super.init()
    }

    var resource: Resource? {
        didSet {
            oldValue?.removeObservers(ownedBy: self)
            oldValue?.cancelLoadIfUnobserved(afterDelay: 0.1)
            resource?
                .addObserver(self)
                .addObserver(owner: self) { [weak self] resource, event in
                    self?.events.append("closure \(event)")
                    self?.title = resource.book?.title ?? ""
                }
                .loadIfNeeded()
        }
    }

    func viewDidLoad() {
        resource = bookshop.book(1)
    }

    func refresh() {
        resource?.load()
            .onSuccess { entity in self.title = (entity.content as? Book)?.title ?? "" }
            .onFailure { self.errorMessage = $0.userMessage }
            .onCompletion { [weak self] _ in self?.refreshEnded() }
    }

    func refreshEnded() {
        events.append("refresh ended")
    }

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        events.append(event.description)
        switch event {
        case .newData(let source): describe(source)
        case .error: errorMessage = resource.latestError?.userMessage
        case .observerAdded, .requested, .requestCancelled, .notModified: break
        }
    }

    func resourceRequestProgress(for resource: Resource, progress: Double) {
        self.progress.append(progress)
    }

    func stoppedObserving(resource: Resource) {
        stoppedCount += 1
    }

    private func describe(_ source: ResourceEvent.NewDataSource) {
        switch source {
        case .network, .cache: errorMessage = nil
        case .localOverride: title += "*"
        case .wipe: title = "-"
        }
    }

    func startPolling() {
        DispatchQueue.main.asyncAfter(deadline: .now() + 60) {
            self.resource?.invalidate()
            self.refresh()
        }
    }

    deinit {
        resource?.removeObservers(ownedBy: self)
    }
}

/// An observer by extension.
final class StatusOverlay {
    var isSpinning = false
    private(set) var resources = [Resource]()

    func embed(in owner: AnyObject, for resources: [Resource]) {
        self.resources = resources
        for resource in resources { resource.addObserver(self, owner: owner) }
        update()
    }

    func update() {
        isSpinning = resources.contains { $0.isLoading } || !resources.allSatisfy { $0.latestError == nil }
    }
}

extension StatusOverlay: ResourceObserver {
    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        update()
    }
}

/// A value that observes, and writes its events where a test can read them.
struct EventPrinter: ResourceObserver {
    let prefix: String
    let print: (String) -> Void

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        print("\(prefix) \(event)")
    }
}

/// A value. Values with the same name are the same observer.
struct NamedObserver: ResourceObserver {
    let name: String
    let heard: Tally

    func resourceChanged(_ resource: Resource, event: ResourceEvent) { heard.count += 1 }
    var observerIdentity: AnyHashable { return name }
}

class Tally {
    var count = 0
}

/// A model that shows two resources as one, with a stored closure of the closure observer's type.
class Shelf {
    let resources: [Resource]
    private(set) var titles: [String] = []
    private lazy var listener: ResourceObserverClosure = { [weak self] resource, _ in
        self?.collect(from: resource)
    }

    init(_ resources: Resource...) {
        self.resources = resources
        resources.forEach { $0.addObserver(owner: self, closure: listener) }
    }

    private func collect(from resource: Resource) {
        titles = resources.compactMap { $0.book?.title }
    }
}
