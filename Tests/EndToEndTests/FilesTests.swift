import Testing

#if os(Linux)
  /// `demo files`, as another program sees it.
  @Suite(.watched) struct FilesTests {
    @Test func `all of a directory is printed once, with the places of its rows`() async throws {
      let folder = try TestFolder()
      for name in ["a/b", "empty"] { try folder.make(name) }
      for (name, size) in [("a/b/c", 4), ("a/d", 2)] { try folder.write(name, size) }
      for (depth, rows) in [
        ("0", ["a 6", "empty 0"]), ("1", ["a 6", "a/b 4", "a/d 2", "empty 0"]),
        ("all", ["a 6", "a/b 4", "a/b/c 4", "a/d 2", "empty 0"]),
      ] {
        let arguments = ["files", folder.path, "--json", "--expand", depth, "--duration", "0"]
        for arguments in [arguments, arguments + ["--lockstep"]] {
          let result = try await Program.run(arguments)
          #expect(result.status == 0 && result.errors.isEmpty)
          let objects = try result.objects()
          #expect(objects.compactMap { $0["kind"] as? String } == ["initial", "end"])
          let list = try result.list()
          #expect(list.files == rows && list.isOutline)
          // What it takes to show it again.
          let replay = try await Program.run(["replay", "-", "--json"], input: Data(result.output.utf8))
          #expect(try replay.list().sections == list.sections)
        }
      }
      let result = try await Program.run(["files", folder.path, "--json", "--expand", "1", "--duration", "0"])
      let sections = try #require(result.objects().first?["sections"] as? [[String: Any]])
      let places = (sections.first?["rows"] as? [[String: Any]] ?? []).map { row in
        "\(row["title"] ?? "") \(row["kind"] ?? "") \(row["depth"] ?? "") \(row["parent"] ?? "") \(row["expanded"] ?? "")"
      }
      #expect(
        places == [
          "a folder 0 <null> 1", "b folder 1 a 0", "d file 1 a <null>", "empty folder 0 <null> <null>",
        ])
    }

    @Test func `links in circles, odd names and what may not be read stop nothing`() async throws {
      let folder = try TestFolder()
      try folder.make("a/locked")
      try folder.write("a/locked/secret", 100)
      try folder.write("a/open", 5)
      try folder.link("a/up", to: "..")
      try folder.link("self", to: "self")
      try folder.run(
        #"touch "$(printf 'b\377')" "$(printf 'b\\xFF')" "$(printf 'e\314\201')" "$(printf '\303\251\033[2J')" "#)
      folder.chmod("a/locked", 0)
      // As a user other than the superuser, who may read everything.
      let program = try LiveProgram(["files", folder.path, "--expand", "all"], asNobody: true)
      let rest = ["b\\x5CxFF 0", "b\\xFF 0", "self 4", "e\\xCC\\x81 0", "é\u{1B}[2J 0"]
      try await program.read {
        $0.isOutline && $0.files == ["a 7", "a/locked 0 (Permission denied)", "a/open 5", "a/up 2"] + rest
      }
      folder.chmod("a/locked")
      try await program.read {
        $0.files == ["a 107", "a/locked 100", "a/locked/secret 100", "a/open 5", "a/up 2"] + rest
      }
      folder.chmod("a/locked", 0)
      try await program.read { $0.files.contains("a/locked 0 (Permission denied)") && $0.files.count == 9 }
      let words = try await Program.run(["files", folder.path, "--duration", "0"])
      #expect(words.output.contains("␛[2J") && !words.output.contains("\u{1B}"))
    }

    @Test func `a directory that is deleted is waited for`() async throws {
      let folder = try TestFolder()
      try folder.make("d/e")
      try folder.write("d/f", 1)
      let program = try LiveProgram(["files", folder.path + "/d"])
      try await program.read { $0.files == ["e 0", "f 1"] && $0.phase == "loaded" }
      try folder.remove("d")
      try await program.read { $0.files.isEmpty && $0.phase == "No such file or directory" }
      try folder.make("d")
      try await program.read { $0.phase == "empty" }
      try folder.write("d/g", 2)
      try await program.read { $0.files == ["g 2"] && $0.phase == "loaded" }
      #expect(program.terminate() == 143)
    }

    @Test func `processes are a tree, each under the one that started it`() async throws {
      let program = try LiveProgram(["ps", "--tree", "--speed", "20"])
      let child = Process.of(["-c", "sleep 1000 & wait"], at: "/bin/sh")
      try child.run()
      defer { for id in program.list.descendants(ofProcess: child.processIdentifier) { kill(id, SIGKILL) } }
      try await program.read { $0.isOutline && $0.descendants(ofProcess: child.processIdentifier).count == 2 }
      let shell = try #require(program.list.sections.first?.rows.first { $0.pid == child.processIdentifier })
      #expect(shell.expanded == true && shell.title == "sh")
      let parent = program.list.sections.first?.rows.first { $0.id == shell.parent }
      #expect(parent?.pid == getpid())
      let once = try await Program.run(["ps", "--tree", "--expand", "0", "--json", "--duration", "0"])
      let list = try once.list()
      #expect(list.sections.count == 1 && list.isOutline && list.sections[0].rows.allSatisfy { $0.depth == 0 })
    }
  }

  extension JSONList {
    /// The files and their sizes.
    var files: [String] { sections.flatMap(\.rows).map { "\($0.id) \($0.subtitle ?? "")" } }

    /// The phase of the only section in a word.
    var phase: String? { sections.first?.phase }

    /// True if each row is under its parent, and only expanded rows have visible children.
    var isOutline: Bool {
      sections.allSatisfy { section in
        var path: [Row] = []
        return section.rows.allSatisfy { row in
          guard let depth = row.depth, depth <= path.count else { return false }
          path.removeLast(path.count - depth)
          defer { path.append(row) }
          return row.parent == path.last?.id && path.last?.expanded ?? true
        }
      }
    }

    /// A process and all that it has started, and they.
    func descendants(ofProcess id: Int32) -> [Int32] {
      let rows = sections.flatMap(\.rows)
      guard let start = rows.firstIndex(where: { $0.pid == id }), let depth = rows[start].depth else { return [] }
      return [id] + rows[(start + 1)...].prefix { $0.depth ?? 0 > depth }.map(\.pid)
    }
  }

  extension JSONList.Row {
    fileprivate var pid: Int32 { Int32(id.prefix { $0 != "-" }) ?? -1 }
  }
#endif
