package import Siesta
package import SiestaUI

/// The model of one screen: the resources that the screen observes, and what a person can do with them.
///
/// A user interface shows the state of the model after each call of the ``monitor``, and knows nothing of requests.
@MainActor
package protocol ScreenModel: AnyObject {
    /// The way to this screen, from the general to the special.
    var crumbs: [String] { get }
    /// The observer of the resources while the screen is on view.
    var monitor: ResourceMonitor { get }
    /// The resources of the screen, as far as they are known. Read it again after each change of a resource.
    var resources: [Resource] { get }
    /// A Boolean value that indicates whether a request is about to start without another input, such as a search.
    var isBusy: Bool { get }

    /// Removes what the model itself keeps of the last user, because another user has signed in, or nobody is signed in.
    func forgetUser()
    /// Loads the next page of the list, if there is a next page.
    func showMore()
    /// Tells the lists of the screen whether they are on view.
    func setListsVisible(_ isVisible: Bool)
}

extension ScreenModel {
    package var isBusy: Bool { false }
    package func showMore() {}
    package func forgetUser() {}
    package func setListsVisible(_ isVisible: Bool) {}

    /// Observes the resources. Data in memory is available at once, and stale resources are loaded.
    package func appear() {
        monitor.watch(resources)
        setListsVisible(true)
        for resource in monitor.resources { resource.loadIfNeeded() }
    }

    /// Ends the observation of all resources, and cancels loads that no other observer needs.
    package func disappear() {
        setListsVisible(false)
        monitor.watch([])
    }

    /// Loads all resources again, however fresh they are. Also the way to try again after an error: a load that waits for
    /// its next attempt is sent at once.
    package func refresh() {
        for resource in monitor.resources {
            resource.retryNow()
            resource.joinLoad()
        }
    }
}

extension PagedListModel {
    /// The items of all pages; nil until the first page has content.
    package var loadedItems: [Item]? { items.isEmpty && list.hasNext ? nil : items }

    func setVisible(_ isVisible: Bool) {
        if isVisible { appear() } else { disappear() }
    }
}
