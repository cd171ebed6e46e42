@_exported public import SiestaNetworking
