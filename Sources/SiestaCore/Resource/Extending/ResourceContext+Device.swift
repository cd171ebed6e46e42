extension DeviceStatus: ServiceExtension {
    package convenience init(context: ResourceContext) {
        self.init(clock: context.clock) { [weak context] change in
            for feature in context?.extensions ?? [] { feature.deviceChanged(change) }
        }
    }
}

extension ResourceContext {
    /// The network and the activity of the app, which this service watches after the first use.
    package var device: DeviceStatus { feature(DeviceStatus.self) }
}
