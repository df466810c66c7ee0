// What the files of these tests share: each of them imports only what it looks into.
@_exported import Foundation
@_exported import RowcastDiff
@_exported import RowcastModel
@_exported import RowcastPlatform
@_exported import RowcastSources
@_exported import RowcastStore
@_exported import RowcastTestSupport
@_exported import Testing
