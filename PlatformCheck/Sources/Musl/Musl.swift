/// Stands for the C library of Linux systems without glibc.
@_exported public import Glibc
