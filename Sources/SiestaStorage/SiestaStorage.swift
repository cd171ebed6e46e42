// One import for apps: storage for caches and for outboxes.
@_exported public import SiestaCaches
@_exported public import protocol SiestaCore.EntitySealing
@_exported public import SiestaOutboxStorage
