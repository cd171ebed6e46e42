extension Service {
    /// The source of information about the network. The default is ``SystemNetworkStatus``.
    ///
    /// It is used by ``ReloadTriggers/reconnected``, ``OfflinePolicy/wait(upTo:)`` and polls. Set it before they are used.
    public final var networkStatus: any NetworkStatus {
        get { context.device.network }
        set { context.device.network = newValue }
    }

    /// The source of information about the activity of the app. The default is ``SystemAppActivity``.
    ///
    /// It is used by ``ReloadTriggers/foreground`` and polls. Set it before they are used.
    public final var appActivity: any AppActivity {
        get { context.device.activity }
        set { context.device.activity = newValue }
    }
}
