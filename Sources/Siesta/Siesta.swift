// One import for apps: the core and all features.
@_exported public import SiestaActivity
@_exported public import SiestaCore
@_exported public import SiestaJSON
@_exported public import SiestaLists
@_exported public import SiestaLive
@_exported public import SiestaRetrying
@_exported public import SiestaSessions
@_exported public import SiestaTransfers
@_exported public import SiestaWriting
