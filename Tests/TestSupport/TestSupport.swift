// Our own tests use what users' tests use.
@_exported public import RowcastTesting
