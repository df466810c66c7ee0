import Rowcast
import RowcastSchedules
import RowcastTesting

//: a store is read
print(await shop.store.snapshot.rowCount, await shop.store.revision, await shop.store.position)

//: a store is edited
try await shop.store.edit { list in
  if list.section(text) == nil { try list.append(Shelf(id: text)) }
  try list.upsert(Product(id: 7, name: text), to: text)
}
print(try await shop.store.edit { $0.snapshot.rowCount + levels.count })

//: rows are set
try await shop.products.set([Product(id: 1, name: text)])
try await shop.products.set(levels.map { Product(id: 2, name: "\($0)") })

//: a list is put back, and ends
let before = await shop.store.snapshot
try await shop.store.edit { $0.removeAll() }
try await shop.store.replace(with: before)
await shop.store.finish()

//: a mirror is sent messages, read and kept
let position = await shop.store.position
if let message = await shop.store.message(since: position) { try await shop.mirror.receive(message) }
print(await shop.mirror.snapshot, await shop.mirror.revision, await shop.mirror.state)
if let position = await shop.mirror.position { print(position) }
if let checkpoint = await shop.mirror.checkpoint { try await MirroredList<Shelf, Product>().receive(checkpoint) }

//: a list is arranged
let view = shop.products.arranged { $0.filter { $0.name.contains(text) }.sorted(by: \.name) }
print(await view.snapshot.rowCount, await view.revision, await view.failures)

//: an arrangement is exchanged
let plan = Parameter(Plan())
let arranged = shop.products.arranged(by: plan)
@Sendable func show(_ text: String) { plan.set(.init().filter { $0.name.contains(text) }) }
show(text)
print(await arranged.snapshot.rowCount, await arranged.revision, await arranged.failures)

//: an arrangement into sections is exchanged
@Sendable func show(_ text: String) async {
  await shop.dayPlan.set(
    Plan().sectioned(by: { $0.name + text }, summary: .count) { Day(id: $0, count: $1) })
}
await show(text)

//: a list is divided and sorted by lists of keys, and by what the code around knows
let order = levels.isEmpty ? [1, 0] : [0, 1]
let days = shop.products.arranged {
  $0.sectioned(by: { $0.name + text }, summary: .count, order: [text, ""]) { Day(id: $0, count: $1) }
    .sorted(by: .ascending({ $0.stock }, order: order), .descending(\.name) { $0 + text < $1 + text })
}
print(await days.snapshot.sectionCount)

//: rows have neighbours, backwards, and a rank
let near = shop.products.arranged { $0.reversed().withNeighbours().filter { $0.previous?.name != text }.map { $0.row } }
print(await near.rank(of: 1).value ?? 0)

//: a list is arranged by a value
let view = shop.products.arranged(by: Arrangement().filter { $0.name.contains(text) })
print(await view.snapshot.rowCount)

//: lists made from others are read
print(await shop.merged.snapshot, await shop.merged.revision)
print(await shop.joined.snapshot, await shop.joined.revision, await shop.joined.failures)

//: a value of a list is read
let (count, stock) = await shop.total.value
print(count, stock, await shop.products.row(1).value?.name ?? text, await shop.products.rowCount.value)

//: updates are awaited
for await update in shop.store.updates() where update.snapshot.rowCount > text.count { break }
for await update in shop.store.updates(since: await shop.store.position) where update.changes.isEmpty { break }
for await update in shop.view.updates() where update.snapshot.rowCount > text.count { break }
for await (count, _) in shop.total.updates() where count > text.count { break }
for await update in shop.store.updates(inSection: text) where update.changes.isEmpty { break }
for await state in shop.mirror.states { print(state) }

//: lines for mirrors are awaited
let encoded = EncodedList(shop.store) { message in "\(message) \(text)" }
for try await line in encoded.lines(since: nil, heartbeat: .seconds(15)) where line == text { break }
print(await encoded.figures.encodings)

//: an edit is shown and confirmed
let shown = OptimisticList(shop.store)
try await shown.edit {
  try $0.update(7) { $0.name = text }
} confirming: {
  try await server(text)
}
let answer = try await shown.edit { list in
  try list.upsert(Product(id: 7, name: text), to: text)
} confirming: {
  text.count
} until: { list in
  list.row(7) != nil
}
print(answer, await shown.snapshot.rowCount, await shown.pending.value)
func server(_ text: String) async throws { print(text) }

//: an edit is shown until a mirror has it
let mirrored = OptimisticList(shop.mirror)
try await mirrored.editMirror(until: \.self) { list in
  try list.upsert(Product(id: 7, name: text), to: text)
} confirming: {
  await shop.store.position
}
let reply = try await mirrored.editMirror(until: \.position) {
  try $0.remove(7)
} confirming: {
  (text, position: await shop.store.position)
}
print(reply.0)

//: a list is kept in a file
let archive = try ListArchive<Shelf, Product>(at: text, history: .last(levels.count)) { message in
  Array("\(message) \(text)".utf8)
} decode: { bytes in
  .end(revision: bytes.count, updates: 0)
}
let kept = try archive.open()
try await kept.edit { try $0.upsert(Product(id: 7, name: text), to: text) }
try await archive.flush()
try await archive.beginRun()
try await archive.open(following: shop.store, every: .milliseconds(50))
try await archive.open(following: shop.mirror)
print(await archive.lag, archive)
try await archive.compact()
print(await archive.snapshot.rowCount, await archive.revision)
for await update in archive.updates(since: await kept.position) where update.changes.isEmpty { break }
for await status in archive.statuses where status == .closed { break }
try await archive.close()

//: a source is attached
let (stream, continuation) = AsyncStream<Product>.makeStream()
let binding = shop.store.attach(stream) { list, product in try list.upsert(product, to: text) }
continuation.finish()
print(await binding.outcome, await binding.status)
await binding.retry()
for await status in binding.statuses { print(status) }

//: the events of a source are coalesced
let (stream, continuation) = AsyncStream<Product>.makeStream()
let binding = shop.store.attach(stream, coalescing: .throttle(every: .seconds(1)), keeping: .all) { list, product in
  try list.upsert(product, to: text)
}
continuation.finish()
print(await binding.run())

//: a source is attached that is made anew
let binding = shop.store.attach(
  retrying: .backOff(), coalescing: .throttle(every: .seconds(1)),
  from: { AsyncStream<Product> { $0.yield(Product(id: 3, name: text)) } }, onRejection: { _, _ in .proceed }
) { list, product in try list.upsert(product, to: text) }
binding.cancel()

//: sections with sources are attached
let source = SectionSource<Shelf, Product>(Shelf(id: text)) {
  AsyncStream<[Product]> { $0.yield([Product(id: 3, name: text)]) }
}
print(try await shop.store.attach([source]).count)

//: pages are demanded
await shop.paging.demand()
await shop.paging.change(to: text)
await shop.paging.reload()
print(await shop.paging.query, await shop.paging.isComplete)
if let failure = await shop.paging.failure { print(failure) }

//: files and what changes are read
for try await line in FollowedFile(text) where line.number > text.count { break }
for try await state in WatchedPath(text) where state == .missing { break }
for try await line in FileLines(descriptor: 0) where line.number > text.count { break }
for try await value in Polling(every: .seconds(1), read: { _ in text }) where value == text { break }

//: a recorder expects
try await shop.recorder.expectInitial { $0.rowCount == text.count }
try await shop.recorder.expect("a row named \(text)") { $0.snapshot.rowCount == text.count }
try await shop.recorder.expect(rows: .init(inserts: [RowPath(section: 0, row: 0)]))
print(try await shop.recorder.next()?.revision ?? 0, await shop.recorder.updates.count)
try await shop.recorder.expectNothing()
try await shop.recorder.expectEnd()

//: a list is recorded
let count = try await UpdateRecorder.record(shop.view) { recorder in
  try await recorder.expectInitial { $0.rowCount > text.count }
  return await recorder.updates.count
}
print(count)

//: schedules are explored
let exploration = try await Schedules.explore(10) { run in
  try run.expect(!text.isEmpty, "no text")
  try await run.clock.sleep(until: run.clock.now)
}
print(exploration.schedules)
try await Schedules.explore(10, record: { print($0) }) { _ in print(text) }
try await Schedules.replay("1") { _ in print(text) }
let log = CallLog<Int, String>()
await log.record(1) { text }

//: a list is an outline
let expansion = OutlineExpansion<Int>(depth: 1)
let tree = shop.products.arranged {
  $0.sorted(by: \.name).outlined(parent: { $0.stock == 0 ? nil : $0.stock }, expansion: expansion) { product, place in
    Product(id: product.id, name: String(repeating: " ", count: place.depth) + product.name)
  }
}
await expansion.expand(7, descendants: true)
await expansion.collapse(7)
await expansion.expandAll(to: 2)
await expansion.collapseAll()
await expansion.prune(keeping: shop.products.snapshot.allRows.map(\.id))
print(await tree.snapshot.rowCount, await tree.explain(7))

//: lists of a space are mirrored
struct Floor: Codable { var shelves: WireMessage<Shelf, Product>? }
var floor = MirroredSpace<Floor>()
let shelves = floor.list(\.shelves)
let positions = await floor.beginStream()
let lines: [SpaceMessage<Floor>] = []
for line in lines { try await floor.receive(line) }
print(positions, await shelves.snapshot.rowCount)

//: a list is searched
let (query, order) = (Parameter(""), Parameter([SortKey<Product>.ascending(\.name)]))
let found = shop.products.arranged { $0.sorted(by: order).filter(by: query) { $1.isEmpty || $0.name.contains($1) } }
@Sendable func find(_ text: String) { query.set(text) }
find(text)
@Sendable func sort(by key: SortKey<Product>) async { await order.set([key]) }
await sort(by: .descending(\.price))
print(await found.snapshot.rowCount, await query.value)

//: a person chooses the lists that are merged, and sees what is new
let chosen = Parameter<[any LiveList<SoleSection, Product>]>([shop.products])
let recent = MergedList(of: chosen).arranged {
  $0.recent({ Double($0.stock) }, within: .seconds(300), now: { 0 }).window(.after(7)).window(inEachSection: .first(3))
}
@Sendable func choose(_ lists: [any LiveList<SoleSection, Product>]) async { await chosen.set(lists) }
await choose([])
print(await recent.snapshot.rowCount)

//: values are loaded for rows
let loaded = shop.products.loading(\.stock, atMost: 2) { stock in
  text + "\(stock)"
} row: { product, name in
  Product(id: product.id, name: name.value ?? (name.isPending ? "…" : text))
}
for await update in loaded.updates() { print(update.revision) }

//: a list is an outline with sums, under a parent that each row has
let tree = shop.products.arranged {
  $0.outlined(parent: \.stock, summary: .sum(\.price), where: { $0.name.contains(text) }) {
    Product(id: $0.id, name: $0.name, price: $2, stock: $1.depth)
  }
}
for await update in tree.updates() { print(update.revision) }
