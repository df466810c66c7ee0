// The umbrella: everything that an app needs, under one import.

// Sources, transactions, streams.
@_exported public import RowcastStore
// Rows, sections, snapshots, updates, strict rules, the wire form.
@_exported public import RowcastModel
// Ids in, operations out.
@_exported public import RowcastDiff
// Cells, reuse.
@_exported public import RowcastTable
// Models and drivers for apps with a screen of their own.
@_exported public import RowcastUI
// Logs, JSON Lines, screens.
@_exported public import RowcastConsole
