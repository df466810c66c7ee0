import Rowcast
import RowcastConsole
import RowcastPlatform
import RowcastSources

/// A profile as a file has it: `{"data":{"nombre":"…","apellidos":"…","imgURL":"…"}}`. Fields may be missing.
struct Profile: Decodable, Equatable {
  struct Fields: Decodable, Equatable {
    var nombre: String?
    var apellidos: String?
    var imgURL: String?
  }

  var data: Fields

  /// Reads a file.
  ///
  /// - Throws: ``ExitError`` if there is no file, or if its content is something else.
  static func read(_ path: String) throws(ExitError) -> Profile {
    let line = TextLine(number: 1, bytes: try bytes(of: path))
    switch JSONLines.value(Profile.self, on: line) {
    case .success(let profile): return profile
    case .failure(let error): throw ExitError(description: "\(path) is no profile: \(error.reason)")
    case nil: throw ExitError(description: "\(path) is empty")
    }
  }

  /// The content of a file, without a byte order mark.
  private static func bytes(of path: String) throws(ExitError) -> [UInt8] {
    do {
      let file = OpenFile(descriptor: try Platform.openAtOnce(path))
      let status = try Platform.status(of: file.descriptor)
      guard status.isFile else {
        throw SystemError.failed(status.isDirectory ? "Is a directory" : "It is no regular file")
      }
      let bytes = try Platform.read(from: file.descriptor, at: 0, upTo: status.size)
      return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    } catch {
      throw ExitError(description: "cannot read \(path): \(error)")
    }
  }

  /// The list: a picture row and a titled row for each field that is present, in this order.
  var snapshot: Snapshot {
    get throws {
      let rows = [
        data.imgURL.map { Item(id: "imgURL", title: "Picture", subtitle: $0, kind: ProfileKind.userPicture.rawValue) },
        data.nombre.map { Self.information("nombre", "Nombre", $0) },
        data.apellidos.map { Self.information("apellidos", "Apellidos", $0) },
      ]
      return try Snapshot([ListSection(Group(id: "profile", title: "Profile"), rows: rows.compactMap(\.self))])
    }
  }

  private static func information(_ id: String, _ title: String, _ value: String) -> Item {
    Item(id: id, title: title, subtitle: value, kind: ProfileKind.userInformation.rawValue)
  }
}
