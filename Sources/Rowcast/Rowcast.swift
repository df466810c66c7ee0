// The umbrella: everything that an app needs, under one import.

// Ids in, operations out.
@_exported public import RowcastDiff
// Rows, sections, snapshots, updates, strict rules, the wire form.
@_exported public import RowcastModel
// Sources of events, in the order of the flow: what feeds a store …
@_exported public import RowcastSources
// … the store, its transactions and streams …
@_exported public import RowcastStore
// … cells and reuse …
@_exported public import RowcastTable
// … models and drivers for apps with a screen of their own …
@_exported public import RowcastUI
// … and lists made of lists.
@_exported public import RowcastViews
