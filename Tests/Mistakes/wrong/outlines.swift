import Rowcast

struct Part: RowViewModel { let id: Int; var whole: Int?; var name: String; var weight = 0; var maker = "" }
struct PartRow: RowViewModel { let id: Int; var name: String; var depth = 0; var weight = 0 }

//: a parent that the rows do not name
func outline(_ store: ListStore<SoleSection, Part>) {
  // error: no member 'parent'
  let tree = store.arranged { $0.outlined(parent: \.parent) { PartRow(id: $0.id, name: $0.name, depth: $1.depth) } }
  _ = tree
}

//: a parent that is no id
func outline(_ store: ListStore<SoleSection, Part>) {
  // error: -> String' to .*Int
  let tree = store.arranged { $0.outlined(parent: \.maker) { PartRow(id: $0.id, name: $0.name, depth: $1.depth) } }
  _ = tree
}

//: a row that takes no place
func outline(_ store: ListStore<SoleSection, Part>) {
  // error: expects 2 arguments
  let tree = store.arranged { $0.outlined(parent: \.whole) { PartRow(id: $0.id, name: $0.name) } }
  _ = tree
}

//: a sum that nobody asked for
func outline(_ store: ListStore<SoleSection, Part>) {
  let tree = store.arranged {
    // error: expects 2 arguments, but 3 were used
    $0.outlined(parent: \.whole) { PartRow(id: $0.id, name: $0.name, depth: $1.depth, weight: $2) }
  }
  _ = tree
}

//: a sum of a property that is not there
func outline(_ store: ListStore<SoleSection, Part>) {
  let tree = store.arranged {
    // error: no member 'mass'
    $0.outlined(parent: \.whole, summary: .sum(\.mass)) { PartRow(id: $0.id, name: $0.name, weight: $2) }
  }
  _ = tree
}

//: an expansion of other ids
func outline(_ store: ListStore<SoleSection, Part>, _ expansion: OutlineExpansion<String>) {
  let tree = store.arranged {
    // error: 'OutlineExpansion<String>'
    $0.outlined(parent: \.whole, expansion: expansion) { PartRow(id: $0.id, name: $0.name, depth: $1.depth) }
  }
  _ = tree
}

//: a row of another id
func outline(_ store: ListStore<SoleSection, Part>) {
  // error: types 'String' and 'Int' be equivalent
  let tree = store.arranged { $0.outlined(parent: \.whole) { part, place in Order(id: part.name) } }
  _ = tree
}

//: a wrong line behind an outline
func outline(_ store: ListStore<SoleSection, Part>) {
  Task {
    let tree = store.arranged { $0.outlined(parent: \.whole) { PartRow(id: $0.id, name: $0.name, depth: $1.depth) } }
    tree.expand(7)  // error: no member 'expand'
  }
}
