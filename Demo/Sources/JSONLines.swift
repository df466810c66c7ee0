import Foundation
import Rowcast
import RowcastConsole

/// Why a line of JSON could not be read, and where.
struct BadLine: Error, CustomStringConvertible {
  let number: Int
  let reason: String

  /// One line, whatever the bad one contained.
  var description: String { "line \(number): \(reason.neutralized)" }
}

/// Reads one value from each line of JSON.
enum JSONLines {
  private static let decoder = JSONDecoder()

  /// The value on a line, or why there is none; nothing for a blank line.
  static func value<Value: Decodable>(_: Value.Type, on line: TextLine) -> Result<Value, BadLine>? {
    func bad(_ reason: String) -> Result<Value, BadLine> { .failure(BadLine(number: line.number, reason: reason)) }
    guard !line.isTruncated else { return bad("the line is longer than 16 MiB") }
    let bytes = line.bytes
    if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return nil }
    guard String(validating: bytes, as: UTF8.self) != nil else { return bad("the line is not valid UTF-8") }
    do {
      return .success(try decoder.decode(Value.self, from: Data(bytes)))
    } catch let error as DecodingError {
      return bad(syntaxError(in: bytes, error) ?? explanation(of: error))
    } catch {
      return bad("\(error)")
    }
  }

  /// The fault of a line that is not JSON, or whose numbers do not fit: the decoder alone does not tell these apart.
  private static func syntaxError(in bytes: [UInt8], _ error: DecodingError) -> String? {
    guard case .dataCorrupted(let context) = error, context.codingPath.isEmpty else { return nil }
    do {
      _ = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      return "a number does not fit its field"
    } catch {
      let detail = (error as NSError).userInfo["NSDebugDescription"] as? String
      return "no JSON" + (detail.map { ": \($0)" } ?? "")
    }
  }

  /// What is wrong with a line, without the words of the decoder.
  private static func explanation(of error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context):
      "\(place(context))the field \"\(key.stringValue)\" is missing"
    case .typeMismatch(let type, let context):
      "\(place(context))expected \(name(type))"
    case .valueNotFound(let type, let context):
      "\(place(context))expected \(name(type)), found null"
    case .dataCorrupted(let context):
      "\(place(context))\(context.debugDescription)"
    @unknown default: "\(error)"
    }
  }

  private static func place(_ context: DecodingError.Context) -> String {
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    return path.isEmpty ? "" : "\(path): "
  }

  private static func name(_ type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is any BinaryInteger.Type: "an integer"
    case is [Any].Type, is [Event].Type: "an array"
    default: "\(type)".hasPrefix("Array") ? "an array" : "an object"
    }
  }
}
