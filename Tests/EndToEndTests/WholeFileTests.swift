import RowcastPlatform
import Testing

@testable import RowcastDemo

@Suite(.watched) struct WholeFileTests {
  @Test func `a file is replaced as a whole, keeps its permissions, and leaves no draft behind`() throws {
    let folder = try TestFolder()
    let path = "\(folder.path)/file"
    try WholeFile.write(Array("first".utf8), to: path)
    let reader = try #require(FileHandle(forReadingAtPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: path)
    try WholeFile.write(Array("second, longer".utf8), to: path)
    #expect(FileManager.default.contents(atPath: path) == Data("second, longer".utf8))
    #expect(try reader.readToEnd() == Data("first".utf8), "who has the former file open reads it to its end")
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o604)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
  }

  @Test func `what cannot be written is refused with the system's words`() {
    #expect(throws: SystemError.failed("Is a directory")) { try WholeFile.write([1], to: "/") }
    #expect(throws: SystemError.failed("No such file or directory")) { try WholeFile.write([1], to: "/no/such/file") }
    #expect(throws: SystemError.failed("Not a directory")) { try WholeFile.write([1], to: "/dev/null/file") }
  }
}
