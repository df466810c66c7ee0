// The umbrella: everything that an app needs, under one import. Sorted by name; the order of the flow is in the catalog.

// Ids in, operations out.
@_exported public import RowcastDiff
// Rows, sections, snapshots, updates, strict rules, the wire form.
@_exported public import RowcastModel
// Sources of events: attached sequences, retries, pages, files.
@_exported public import RowcastSources
// Transactions and streams.
@_exported public import RowcastStore
// Cells and reuse.
@_exported public import RowcastTable
// Models and drivers for apps with a screen of their own.
@_exported public import RowcastUI
// Lists made of lists.
@_exported public import RowcastViews
