import RowcastModel

/// What is to be on the screen and near it, with the cells that it takes. All that can fail is behind it.
struct DisplayPlan<Section: SectionViewModel, Row: RowViewModel> {
  /// One element to show.
  struct Item {
    var element: TableElement
    var content: TableContent<Section, Row>
    var request: CellRequest
    /// The first line on the screen.
    var line = 0
  }

  /// The heights as they are known by now.
  var geometry: TableGeometry
  /// The first line of the content on the screen.
  var top = 0
  /// What is on the screen, from top to bottom.
  var visible: [Item] = []
  /// What is kept ready above and below.
  var prefetched: [Item] = []
}
