import Rowcast

//: runs: closures of top-level code, which belong to the main actor
let shop = try Shop()
let text = "tea"
let counter = Counter()
var isDescending = false
func show(_ plan: Plan) async { await shop.plan.set(plan) }
await show(.init().filter { $0.name.contains(text) })
let names = await shop.view.snapshot.allRows.map(\.name)
if names != ["tea"] { throw ListStoreError.finished }
for _ in 0..<3 {
  isDescending.toggle()
  counter.count += 1
  await show(.init().sorted(by: isDescending ? .descending(\.id) : .ascending(\.id)))
  let ids = await shop.view.snapshot.allRows.map(\.id)
  if ids != (isDescending ? [2, 1] : [1, 2]) { throw ListStoreError.finished }
}
try await shop.products.edit { list in try list.update(1) { $0.name = text + "!" } }
let days = shop.products.arranged { list in
  counter.count += 1
  return list.sectioned(by: { String($0.name.prefix(1)) }) { Day(id: $0) }
}
if await days.snapshot.sectionCount != 2 || counter.count != 4 { throw ListStoreError.finished }

//: runs: a main function
@main struct Program {
  static func main() async throws {
    let shop = try Shop()
    let text = "tea"
    await shop.plan.set(.init().filter { $0.name.contains(text) })
    try await Clerk(shop).turn(text)
    if await shop.view.snapshot.rowCount != 1 { throw ListStoreError.finished }
  }
}
extension Clerk {
  func turn(_ text: String) async throws {
    isDescending.toggle()
    let list = shop.products.arranged { list in
      isDescending.toggle()
      return list.filter { $0.name.contains(text) }
    }
    if await list.snapshot.rowCount != 1 || isDescending { throw ListStoreError.finished }
  }
}
