extension Service {
    /// The source of information about the network. The default is ``NetworkStatus/system``.
    ///
    /// ``ReloadTrigger/reconnected``, ``OfflinePolicy/wait(upTo:)`` and polls use this source. Set this property
    /// before the first use of any of these features.
    public final var networkStatus: NetworkStatus {
        get { context.device.network }
        set { context.device.network = newValue }
    }

    /// The source of information about the activity of the app. The default is ``AppActivity/system``.
    ///
    /// ``ReloadTrigger/foreground`` and polls use this source. Set this property before the first use of either
    /// feature.
    public final var appActivity: AppActivity {
        get { context.device.activity }
        set { context.device.activity = newValue }
    }
}
