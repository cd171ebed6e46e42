/// An observer that a resource has, for tools: the names of types, and addresses.
package struct ObserverInfo: Hashable, Sendable {
    /// An object: the name of its type, and its address.
    package struct Object: Hashable, Sendable {
        package let type: String
        package let address: UInt

        init(_ object: AnyObject) {
            type = String(describing: Swift.type(of: object))
            address = UInt(bitPattern: ObjectIdentifier(object))
        }
    }

    /// The type of the observer.
    package let type: String
    /// The observer, if it is an object; nil for a value or a closure.
    package let object: Object?
    /// The owners of the observer, except the observer itself.
    package let owners: [Object]
}

extension OwnedObserver {
    fileprivate var info: ObserverInfo? {
        guard isAlive, let observer else { return nil }
        if observer is ClosureObserver {
            return ObserverInfo(type: LoggedObserver(observer: observer).description, object: nil, owners: ownerObjects)
        }
        return ObserverInfo(
            type: String(describing: type(of: observer)), object: observer.asObject.map { ObserverInfo.Object($0) },
            owners: ownerObjects)
    }

    private var ownerObjects: [ObserverInfo.Object] { otherOwnerObjects.map { ObserverInfo.Object($0) } }
}

extension ObserverList {
    /// The observers that exist and have an owner, in the order in which they were added.
    var infos: [ObserverInfo] {
        presentObservers.compactMap { observer in
            if let standIn = observer as? OwnedObserver { return standIn.info }
            return ObserverInfo(
                type: String(describing: type(of: observer)), object: ObserverInfo.Object(observer), owners: [])
        }
    }
}

extension Resource {
    /// The observers of this resource, in the order in which they were added.
    package var observerInfos: [ObserverInfo] { observerList?.infos ?? [] }
}
