/// Stands for the C library of Android.
@_exported public import Glibc
