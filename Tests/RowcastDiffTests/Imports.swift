// What the files of these tests share: each of them imports only what it looks into.
@_exported public import RowcastDiff
@_exported public import RowcastTestSupport
