internal import CSchedules
internal import Foundation
internal import RowcastDiff

/// The names of this program's functions, from the symbol table of its file (ELF, 64 bits).
///
/// The dynamic linker knows only what is exported; a test's functions are not.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct SymbolTable {
  private let file: Data
  /// A function, and where its name begins in the file: few of a million are ever read.
  private typealias Symbol = (start: UInt, size: UInt, name: Int)

  /// The functions by their addresses.
  private var symbols: [Symbol] = []
  private var bias: UInt = 0

  /// The table of the running program; empty if its file has none.
  static let current = SymbolTable(path: "/proc/self/exe")

  private init(path: String) {
    file = (try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)) ?? Data()
    guard file.count > 64, file.prefix(4) == Data([0x7F, 0x45, 0x4C, 0x46]) else { return }
    let sections = Int(integer(at: 0x28, UInt64.self))
    let sectionSize = Int(integer(at: 0x3A, UInt16.self))
    for index in 0..<Int(integer(at: 0x3C, UInt16.self)) {
      let header = sections + index * sectionSize
      // 2 is a symbol table; its link is the section with the names.
      guard integer(at: header + 4, UInt32.self) == 2 else { continue }
      let names = sections + Int(integer(at: header + 0x28, UInt32.self)) * sectionSize
      read(
        from: Int(integer(at: header + 0x18, UInt64.self)), size: Int(integer(at: header + 0x20, UInt64.self)),
        names: Int(integer(at: names + 0x18, UInt64.self)))
    }
    symbols.sort { $0.start < $1.start }
  }

  /// An entry of a symbol table, as it is in the file.
  private typealias Entry = (name: UInt32, kind: UInt8, visibility: UInt8, section: UInt16, value: UInt64, size: UInt64)

  private mutating func read(from start: Int, size: Int, names: Int) {
    let anchor = Data("schedules_anchor\0".utf8)
    unsafe file.withUnsafeBytes { bytes in
      for place in stride(from: start, to: min(start + size, bytes.count - 23), by: 24) {
        let entry = unsafe bytes.loadUnaligned(fromByteOffset: place, as: Entry.self)
        let name = names + Int(entry.name)
        // 2 in the low half of the kind is a function.
        guard entry.kind & 0xF == 2, name < bytes.count else { continue }
        symbols.append((UInt(entry.value), UInt(entry.size), name))
        if unsafe bytes[name] == anchor[0], unsafe bytes[name...].starts(with: anchor) {
          bias = schedules_anchor() &- UInt(entry.value)
        }
      }
    }
  }

  private func name(of symbol: Symbol) -> String {
    String(decoding: file[symbol.name...].prefix { $0 != 0 }, as: UTF8.self)
  }

  private func integer<Integer: FixedWidthInteger>(at offset: Int, _ type: Integer.Type) -> Integer {
    guard offset >= 0, offset + MemoryLayout<Integer>.size <= file.count else { return 0 }
    return unsafe file.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: Integer.self) }
  }

  /// The innermost function that is not of Swift's own libraries, whose code is between a program and its tasks: its module, and
  /// an address in it.
  func code(of addresses: some Sequence<UInt>) -> (module: String, address: UInt)? {
    for address in addresses {
      guard let symbol = symbol(at: address) else { continue }
      // A mangled name begins with its module, unless that is the standard library.
      let name = name(of: symbol)
      guard name.hasPrefix("$s"), let length = Int(name.dropFirst(2).prefix { $0.isNumber }) else { continue }
      return (String(name.dropFirst(2).drop { $0.isNumber }.prefix(length)), address)
    }
    return nil
  }

  private func symbol(at address: UInt) -> Symbol? {
    let value = address &- bias
    let index = symbols.indices.countPrefix { symbols[$0].start <= value } - 1
    return index >= 0 && value < symbols[index].start + max(1, symbols[index].size) ? symbols[index] : nil
  }

  /// The function at an address, as a trace shows it; `nil` if the program's file does not name it.
  ///
  /// - Returns: The name without module, result and specialisation, and the number of suspensions in the function before.
  func function(at address: UInt) -> (name: String, part: Int)? {
    guard let symbol = symbol(at: address) else { return nil }
    var text = Self.demangle(name(of: symbol))
    // Code that adapts a call, or begins a body on a schedule, is no code of the program.
    if text.contains("reabstraction thunk") || text.contains("Scheduler.run") { return nil }
    var part = 0
    if text.hasPrefix("("), let close = text.firstIndex(of: ")") {
      part = Int(text[text.index(after: text.startIndex)..<close]) ?? 0
    }
    if let range = text.range(of: " function for ") ?? text.range(of: "forwarder for ") {
      text = String(text[range.upperBound...])
    }
    // “protocol witness for Loader.load in conformance Server : Loader” is Server.load, called by way of a protocol.
    if text.hasPrefix("protocol witness for "), let type = text.firstRange(of: " in conformance ") {
      let names = [text[type.upperBound...].prefix { $0 != ":" }, text[..<type.lowerBound]]
      text = names.map { Self.short(String($0)) }.compactMap { $0.split(separator: ".").last }.joined(separator: ".")
    }
    return (Self.short(text), part)
  }

  private static func demangle(_ name: String) -> String {
    guard let demangled = unsafe schedules_demangle(name, UInt(name.utf8.count)) else { return name }
    defer { unsafe free(demangled) }
    return unsafe String(cString: demangled)
  }

  /// Leaves out module, file and parameters: “closure 2.1 of Cache.load” is the first closure in the second.
  private static func short(_ text: String) -> String {
    var depth = 0
    var kept = ""
    // A private type is written with the file that it is private to.
    let open = text.replacingOccurrences(of: "->", with: "→").replacing(/\((\w+) in \w+\)/) { String($0.1) }
    for character in open {
      if "(<".contains(character) { depth += 1 }
      if depth == 0 { kept.append(character) }
      if ")>".contains(character) { depth -= 1 }
    }
    let parts = kept.components(separatedBy: " in ").map { part in
      let words = part.split(separator: " ").prefix { !["→", "async", "throws", ":"].contains($0) }
      if words.contains("closure") { return String(words.first { $0.hasPrefix("#") }?.dropFirst() ?? "") }
      let name = (words.last ?? "").split(separator: ".").suffix(2).joined(separator: ".")
      // A name that is a sentence is cut: the number of the closure matters more.
      return name.count > 40 ? name.prefix(32) + "..." : name
    }
    let closures = parts.filter { $0.first?.isNumber == true }.reversed().joined(separator: ".")
    let function = parts.last { !$0.isEmpty && $0.first?.isNumber == false } ?? ""
    return closures.isEmpty ? function : "closure \(closures) of \(function)"
  }
}
