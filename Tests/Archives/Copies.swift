import Foundation

/// A copy of this process, which talks to it by lines.
///
/// This process must not have begun another thread: it waits for copies without tasks.
struct Copy {
  private let process, input, output: Int32

  /// Starts a copy, which does its work and ends.
  init(_ work: @escaping @Sendable () async -> Void) {
    var (input, output): (Int32, Int32) = (0, 0)
    process = unsafe process_fork(&input, &output)
    (self.input, self.output) = (input, output)
    if process == 0 {
      Task.detached {
        await work()
        _exit(0)
      }
      dispatchMain()
    }
    check(process > 0, "no process could be started")
  }

  /// Writes a line to the other side, in a copy.
  static func say(_ line: String) {
    let line = line.replacing("\n", with: " ") + "\n"
    unsafe process_write(1, line, line.utf8.count)
  }

  /// Reads a line from the other side, in a copy.
  static func hear() -> String { readLine() ?? "" }

  func say(_ line: String) { unsafe process_write(input, line + "\n", line.utf8.count + 1) }

  /// The next line that the copy says; `nil` after its end.
  func line() -> String? {
    let text = waited(isLine: true)
    return text.hasSuffix("\n") ? String(text.dropLast()) : nil
  }

  /// Waits for the end. Returns what the copy has said since, and its code, or 128 and the signal that killed it.
  func end() -> (lines: [String], code: Int32) {
    let text = waited(isLine: false)
    return (text.split(separator: "\n").map(String.init), process_end(process, input, output, false))
  }

  /// Stops the copy amid its work, and does something. Gets the lines that it has said before and were not read.
  func whileStopped(_ work: (_ lines: [String]) -> Void) {
    process_stop(process)
    var lines: [String] = []
    // Each is written as a whole.
    while let line = read(isLine: true, seconds: 0) { lines.append(String(line.dropLast())) }
    work(lines)
    process_resume(process)
  }

  func kill() { _ = process_end(process, input, output, true) }

  private func waited(isLine: Bool) -> String {
    // A copy needs milliseconds; what takes longer than this hangs.
    if let text = read(isLine: isLine, seconds: 30) { return text }
    kill()
    check(false, "a process hangs")
    return ""
  }

  /// `nil` if it takes too long.
  private func read(isLine: Bool, seconds: Int32) -> String? {
    var isLate = false
    let bytes = unsafe [CChar](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
      let size = unsafe process_read(output, buffer.baseAddress, buffer.count, seconds, isLine)
      (count, isLate) = (max(size, 0), size < 0)
    }
    return isLate ? nil : String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Ends the program if something is not as it must be.
func check(_ condition: Bool, _ message: @autoclosure () -> String, line: UInt = #line) {
  if condition { return }
  FileHandle.standardError.write(Data("line \(line): \(message())\n".utf8))
  exit(1)
}
