import Foundation

/// The ids of files, and the names that they stand for.
///
/// The id of a file is its path below the directory that is shown. A name is bytes, and an id is a text. The bytes of a name that
/// is not UTF-8 are written as `\xHH`. So are the bytes of a name that Swift considers equal to another one, and a backslash
/// before an `x`. Two files never have the same id, and the id of a file yields its path.
enum FileName {
  private static let (slash, backslash, x) = (UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "x"))

  /// The id of a file in a folder, whose id is empty if it is the directory that is shown.
  static func id(_ name: [UInt8], in folder: String) -> String {
    let isPlain = name.allSatisfy { $0 < 0x80 && $0 != backslash }
    let text = isPlain ? String(decoding: name, as: UTF8.self) : escaped(name)
    return folder.isEmpty ? text : "\(folder)/\(text)"
  }

  /// The bytes of a path in the directory that is shown.
  static func path(_ id: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(id.utf8.count)
    var rest = id.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == backslash, rest.first == x, let code = UInt8(rest.dropFirst().prefix(2).text, radix: 16) else {
        bytes.append(byte)
        continue
      }
      bytes.append(code)
      rest = rest.dropFirst(3)
    }
    return bytes
  }

  /// The name of a file for a person. What is not UTF-8 is escaped; the rest may contain any characters.
  static func title(_ id: String) -> String {
    let start = id.utf8.lastIndex(of: slash).map { id.utf8.index(after: $0) } ?? id.startIndex
    let name = String(id[start...])
    return name.utf8.contains(backslash) ? text(path(name)) { _ in true } : name
  }

  private static func escaped(_ name: [UInt8]) -> String {
    let text = text(name) { $0 != "\\" }
    let isUnique = text.utf8.elementsEqual(text.precomposedStringWithCanonicalMapping.utf8)
    return isUnique ? text : self.text(name) { $0.isASCII && $0 != "\\" }
  }

  /// The bytes as text. Bytes that are not UTF-8 are escaped, and so are scalars that are not to be kept: a backslash only before
  /// an `x`.
  private static func text(_ bytes: [UInt8], keeping isKept: (Unicode.Scalar) -> Bool) -> String {
    var text = ""
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var index = 0
    while true {
      let (length, scalar): (Int, Unicode.Scalar?)
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded): (length, scalar) = (encoded.count, UTF8.decode(encoded))
      case .error(let count): (length, scalar) = (count, nil)
      case .emptyInput: return text
      }
      let end = index + length
      let isHarmless = scalar == "\\" && (end == bytes.count || bytes[end] != x)
      if let scalar, isHarmless || isKept(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        for byte in bytes[index..<end] {
          text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
      }
      index = end
    }
  }
}

extension Substring.UTF8View {
  fileprivate var text: String { String(Substring(self)) }
}
