public import RowcastModel

/// A table whose rows are known in advance: settings, an about page.
///
/// It is described in one place: its models, usually the cases of an enum, and for each its cell, its capabilities and the
/// effect of selecting it. No index occurs, so models change places without consequences.
///
///     struct About: StaticTable {
///       enum Model { case version, gap, licence }
///       var models: [Model] { [.version, .gap, .licence] }
///
///       func cellType(for model: Model) -> any CapableCell.Type { model == .gap ? EmptyLine.self : TextCell.self }
///
///       func capabilities(of model: Model) -> Capabilities {
///         switch model {
///         case .version: Capabilities().setting(.title, to: "Version 1")
///         case .gap: Capabilities()
///         case .licence: Capabilities().setting(.title, to: "MIT licence")
///         }
///       }
///
///       func itemSelected(_ model: Model) { … }
///     }
public protocol StaticTable {
  /// The ids of the rows.
  associatedtype Model: Hashable & Sendable

  /// The models, from top to bottom. None occurs twice.
  var models: [Model] { get }

  /// The class of the cell for a model.
  func cellType(for model: Model) -> any CapableCell.Type

  /// The content of a model.
  func capabilities(of model: Model) -> Capabilities

  /// Completes a cell that is filled with its capabilities. The default does nothing.
  func configure(_ cell: Cell, for model: Model)

  /// Called when a row was selected. The default does nothing.
  func itemSelected(_ model: Model)
}

extension StaticTable {
  /// Does nothing.
  public func configure(_ cell: Cell, for model: Model) {}

  /// Does nothing.
  public func itemSelected(_ model: Model) {}
}

/// The row of a model in a static table.
public struct StaticRow<Model: Hashable & Sendable>: RowViewModel {
  /// The model.
  public let id: Model
  /// The content of the model.
  public var capabilities: Capabilities
  /// The kind of its cell: the fully qualified name of the class.
  public var reuseIdentifier: String
}

/// The section of a static table.
public struct StaticSection: SectionViewModel {
  /// There is only one.
  public var id: Int { 0 }

  /// Creates the section.
  public init() {}
}
