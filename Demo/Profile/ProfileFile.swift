import Foundation
import Rowcast
import RowcastConsole

/// A profile as it stands in a file: `{"data":{"nombre":"…","apellidos":"…","imgURL":"…"}}`. Fields may be missing.
struct Profile: Decodable, Equatable {
  struct Fields: Decodable, Equatable {
    var nombre: String?
    var apellidos: String?
    var imgURL: String?
  }

  var data: Fields

  /// Reads a file.
  ///
  /// - Throws: ``ExitError`` if there is none, or if it holds something else.
  static func read(_ path: String) throws(ExitError) -> Profile {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw ExitError(description: "cannot read \(path)")
    }
    let line = TextLine(number: 1, bytes: Array(bytes))
    switch JSONLines.value(Profile.self, on: line) {
    case .success(let profile): return profile
    case .failure(let error): throw ExitError(description: "\(path) is no profile: \(error.reason)")
    case nil: throw ExitError(description: "\(path) is empty")
    }
  }

  /// The list: a picture row and a titled row for each field that is there, in this order.
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
