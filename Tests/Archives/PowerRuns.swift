// A machine loses its power while an archive writes to an ext4: what the device has then is mounted again.
import Foundation
import Rowcast
import RowcastConsole
import RowcastTesting

struct PowerRuns {
  private let folder: String
  private var device: String { folder + "/disk" }
  private var copy: String { folder + "/copy" }
  private var random: SeededGenerator

  init(in folder: String) {
    self.folder = folder
    random = .forFuzzing("power failures")
  }

  /// Saves edits until it is killed, and tells which.
  private static func work(_ path: String, _ durability: ArchiveDurability) async {
    do {
      while true {
        let archive = try Archive(at: path, history: .last(3), durability: durability)
        let store = try archive.open()
        for _ in 0..<20 {
          let number = NumberedList.count(await store.snapshot) + 1
          try await NumberedList.edit(number).apply(to: store)
          if number % 7 == 0 { try await archive.compact() } else { try await archive.flush() }
          Copy.say("saved \(number)")
        }
        try await archive.close()
      }
    } catch { Copy.say("WRONG \(error)") }
  }

  /// Opens the file after the failure, and tells its list.
  private static func look(_ path: String, _ durability: ArchiveDurability) async {
    do {
      let archive: Archive
      do { archive = try Archive(at: path, durability: durability) } catch ArchiveError.damaged
        where durability == .written
      { archive = try Archive(at: path, durability: durability, recovering: true) }
      let list = await archive.snapshot
      let count = NumberedList.count(list)
      Copy.say(list.items == NumberedList.list(after: count) ? "found \(count)" : "WRONG after \(count)")
      try await archive.close()
    } catch { Copy.say("WRONG \(error)") }
  }

  private func shell(_ command: String) -> Bool { unsafe process_run(command) == 0 }

  private func hasDevice() -> Bool {
    shell(
      """
      mkdir -p \(folder)/mount \(folder)/after && truncate -s 16M \(device) && mkfs.ext4 -q -F \(device) &&
        mount -o loop \(device) \(folder)/mount
      """)
  }

  mutating func run() throws {
    guard geteuid() == 0 else { return print("archives: power failures are left out, as only root can mount a file") }
    for durability in [ArchiveDurability.synced(every: .zero), .written] {
      guard hasDevice() else { return print("archives: power failures are left out, as no file can be mounted here") }
      let path = folder + "/mount/list.jsonl"
      let archive = Copy { await Self.work(path, durability) }
      var (told, older, damaged) = (0, 0, 0)
      let rounds = SeededGenerator.rounds(2, long: 500)
      for _ in 0..<rounds {
        var lines: [String] = []
        for _ in 0..<Int.random(in: 1...15, using: &random) { lines.append(archive.line() ?? "nothing") }
        // A moment at which it may have written anything.
        for _ in 0..<Int.random(in: 0..<200_000, using: &random) { told &+= 0 }
        archive.whileStopped {
          lines += $0
          // The content of the device: two copies are equal if nothing was written in between.
          while !shell("cp \(device) \(copy) && cp \(device) \(copy).2 && cmp -s \(copy) \(copy).2") {}
        }
        for line in lines {
          check(line.hasPrefix("saved "), line)
          told = Int(line.dropFirst(6)) ?? 0
        }
        check(shell("mount -o loop \(copy) \(folder)/after"), "what the device has cannot be mounted")
        let after = folder + "/after/list.jsonl"
        let found = Copy { await Self.look(after, durability) }.end()
        let kept = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/after")) ?? []
        check(shell("umount \(folder)/after"), "it cannot be unmounted")
        let count = found.lines.first.flatMap { $0.hasPrefix("found ") ? Int($0.dropFirst(6)) : nil }
        // One more may have been saved, and not been told yet.
        check(count.map { $0 <= told + 1 } == true, "\(durability): \(told) was told, and then \(found)")
        if let count, count < told { older += 1 }
        check(older == 0 || durability == .written, "\(durability): \(told) was told, and then \(found)")
        if kept.contains(where: { $0.contains("damaged") }) { damaged += 1 }
      }
      archive.kill()
      check(shell("umount \(folder)/mount"), "it cannot be unmounted")
      print(
        "archives: \(rounds) power failures, \(durability): \(older) lists older than told, \(damaged) damaged files")
    }
  }
}
