import Testing

#if os(Linux)
  @Suite(.watched) struct ProcessTests {
    @Test func `a process comes, is found by its state, and goes`() async throws {
      let program = try LiveProgram(["ps", "--speed", "20"])
      try await program.read { $0.rows(startingWith: "\(program.id)-").first?.title == "demo" }
      // It takes some memory.
      let own = try #require(program.list.rows(startingWith: "\(program.id)-").first)
      #expect(own.subtitle?.contains(/\b[1-9][0-9]* MB/) == true, "\(own)")
      let other = Process.of(["1000"], at: "/bin/sleep")
      try other.run()
      defer { other.kill() }
      let prefix = "\(other.processIdentifier)-"
      try await program.read { list in
        list.sections.contains {
          $0.title == "Sleeping" && $0.rows.contains { $0.id.hasPrefix(prefix) && $0.title == "sleep" }
        }
      }
      other.kill()
      try await program.read { $0.rows(startingWith: prefix).isEmpty }
      #expect(program.terminate() == 143)
    }

    @Test func `the busiest process of a state stands first`() async throws {
      let busy = Process.of(["-c", "ulimit -t 600; while :; do :; done"], at: "/bin/sh")
      try busy.run()
      defer { busy.kill() }
      let program = try LiveProgram(["ps", "--speed", "5"])
      let prefix = "\(busy.processIdentifier)-"
      try await program.read { ($0.rows(startingWith: prefix).first?.share ?? 0) > 0 }
      for section in program.list.sections {
        let shares = section.rows.map(\.share)
        #expect(shares == shares.sorted(by: >), "\(section.title)")
      }
    }
  }

  extension JSONList {
    fileprivate func rows(startingWith prefix: String) -> [Row] {
      sections.flatMap(\.rows).filter { $0.id.hasPrefix(prefix) }
    }
  }

  extension JSONList.Row {
    /// The share of the processor, in whole percent.
    fileprivate var share: Int {
      subtitle?.firstMatch(of: /cpu (\d+) %/).flatMap { Int($0.1) } ?? -1
    }
  }
#endif
