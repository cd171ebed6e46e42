public import SiestaCore

extension PagedResource: OwnerHolder {
    /// Adds a closure as an observer until `owner` is released. Each call adds a new observer.
    ///
    ///     repos.addObserver(owner: self) { repos, event in print(repos.items.count, event.event) }
    ///
    /// The closure runs on the main thread. It receives `.observerAdded` before this method returns. After that, it
    /// receives every event of a page, together with the page. Each event arrives after the list has been updated. Two
    /// events have no page: `.observerAdded`, and `.notModified` at the end of a reload of all pages.
    @discardableResult
    public func addObserver(
        owner: AnyObject, closure: @escaping (PagedResource<Item>, (event: ResourceEvent, page: Resource?)) -> Void
    ) -> Self {
        MainQueue.checkInDebug("PagedResource.addObserver(owner:closure:)")
        listeners.add(owner: owner, closure)
        updatePresence()
        top.context.watchOwners(of: self)
        top.context.clock.whileCurrent { closure(self, (event: .observerAdded, page: nil)) }
        return self
    }

    /// Adds a closure that receives all events, but does not count as an observer, until `owner` is released.
    package func addPassiveObserver(
        owner: AnyObject, closure: @escaping (PagedResource<Item>, (event: ResourceEvent, page: Resource?)) -> Void
    ) {
        listeners.remove(ownedBy: nil)  // A list without events would keep those of all released owners.
        listeners.add(owner: owner, isPassive: true, closure)
        updatePresence()
    }

    /// Removes the observers that `owner` owns.
    public func removeObservers(ownedBy owner: AnyObject?) {
        MainQueue.checkInDebug("PagedResource.removeObservers(ownedBy:)")
        listeners.remove(ownedBy: owner)
        updatePresence()
    }

    package func dismissReleasedOwners() -> Bool {
        listeners.remove(ownedBy: nil)
        updatePresence()
        return listeners.listeners.contains { !$0.isPassive }
    }

    /// Tells all observers of an event.
    func tell(_ event: PageEvent) {
        listeners.wakeLoops()
        listeners.remove(ownedBy: nil)
        updatePresence()
        top.context.clock.whileCurrent { listeners.deliver(event, of: self) }
    }

    /// An asynchronous sequence of the current state of this list and each later state. Any number of loops can iterate
    /// over it concurrently:
    ///
    ///     for await list in repos.states {
    ///         show(list.items.count, list.error, isBusy: list.isLoading)
    ///     }
    ///
    /// A slow consumer receives only the newest state. The iteration ends when the loop exits or the task is cancelled.
    /// The list itself never ends an iteration.
    public nonisolated var states: some AsyncSequence<Snapshot, Never> & Sendable { States(list: self) }

    /// The states of a list; see ``PagedResource/states``.
    struct States: AsyncSequence, Sendable {
        /// The sequence does not fail.
        typealias Failure = Never

        let list: PagedResource

        /// Creates the iterator of a new iteration.
        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(list) }

        /// The iterator of one loop over the states.
        struct AsyncIterator: AsyncIteratorProtocol {
            private let list: PagedResource
            private var changes: AsyncStream<Void>.Iterator

            init(_ list: PagedResource) {
                self.list = list
                let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
                changes = stream.makeAsyncIterator()
                if MainQueue.isCurrent {
                    MainActor.assumeIsolated { list.addLoop(continuation) }
                } else {
                    MainQueue.async { list.addLoop(continuation) }
                }
            }

            /// Waits for the next state. Returns nil if the task is cancelled.
            mutating func next() async -> Snapshot? { await next(isolation: #isolation) }

            /// Waits for the next state. Returns nil if the task is cancelled.
            mutating func next(isolation: isolated (any Actor)?) async -> Snapshot? {
                guard await changes.next(isolation: isolation) != nil else { return nil }
                return await list.snapshot
            }
        }
    }

    private func addLoop(_ loop: AsyncStream<Void>.Continuation) {
        let number = listeners.add(loop: loop)
        updatePresence()
        loop.onTermination = { [weak self] _ in
            MainQueue.async {
                self?.listeners.remove(loop: number)
                self?.updatePresence()
            }
        }
        // If the loop has ended already, its end was not reported.
        guard case .terminated = loop.yield() else { return }
        listeners.remove(loop: number)
        updatePresence()
    }
}

/// Not `Sendable`: an iteration belongs to one task.
@available(*, unavailable)
extension PagedResource.States.AsyncIterator: Sendable {}
