/// The origins that the requests of one service share with other services.
final class SharedOrigins: ServiceExtension {
    let origins: Origins

    init(context: ResourceContext) {
        origins = .shared(for: context.clock)
    }

    func wiped() { origins.reopen() }

    func principalChanged(of resources: [Resource]) { origins.reopen() }
}
