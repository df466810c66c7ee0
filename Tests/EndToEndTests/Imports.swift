// What the files of these tests share: each of them imports only what it looks into.
@_exported import Foundation
@_exported import Rowcast
@_exported import RowcastConsole
@_exported import RowcastTestSupport
