import Rowcast
import RowcastConsole
import RowcastPlatform
import RowcastTerminal

/// `demo serve`: the list of a scenario, live in browsers on this machine.
enum ServeCommand {
  /// Serves until a signal or the time limit ends it; returns the exit code.
  static func run(_ options: Options) async -> Int32 {
    do {
      guard #available(macOS 15, *) else { throw ExitError(description: "serve needs macOS 15") }
      return try await serve(options)
    } catch let error as ExitError {
      Diagnostics.write(error.description)
      return error.exitCode
    } catch {
      Diagnostics.write("\(error)")
      return 1
    }
  }

  @available(macOS 15, *)
  private static func serve(_ options: Options) async throws -> Int32 {
    guard Platform.hasFreeDescriptors(Server.connectionLimit + 48) else {
      throw ExitError(description: "too many open files: allow more, as with `ulimit -n 256`")
    }
    let scenario = options.scenario.flatMap(Scenario.init) ?? .feed
    var options = options
    // What is sent is in its file first.
    options.mode = .json
    let port = options.port ?? 8_080
    let (listener, actual) = try listen(at: port)
    // Pages that were away for less get the difference.
    let history = ListHistory.last(1_000)
    let archive = try options.openArchive(history: history)
    let run = ScenarioRun(
      options: options, store: archive?.store ?? Store(history: history), archive: archive?.file,
      pacer: Pacer(lockstep: false),
      diagnostics: Diagnostics(isQuiet: options.quiet, isDeferred: false), board: SourceBoard(), hasKeys: false)
    let prepared = try run.prepare(scenario)
    let list: any LiveList<Group, Item> = archive?.file ?? prepared.served ?? run.store
    let signals = SignalWatcher([.interrupt, .terminate])
    let server = Server(listener: listener, port: actual, list: list)
    let (connections, accepting) = server.connections()
    let answering = Task { await server.run(connections) }
    do { try Platform.write("http://127.0.0.1:\(actual)\n".utf8, to: Platform.standardOutput) } catch {
      throw ExitError(description: "the output cannot be written: \(error)")
    }

    let ending = await withTaskGroup(of: Ending?.self) { group in
      group.addTask {
        for await signal in signals { return signal == .interrupt ? .signal(130) : .signal(143) }
        return nil
      }
      group.addTask { await feed(prepared, run, repeats: scenario == .feed) }
      if let duration = options.duration {
        group.addTask { (try? await Task.sleep(for: duration)).map { .done } }
      }
      defer { group.cancelAll() }
      for await ending in group { if let ending { return ending } }
      return .done
    }
    accepting.cancel()
    // Without a file the list has ended. With one it continues in the next run: the streams just stop.
    if archive == nil { await run.store.finish() } else { try await run.closeArchive() }
    let impatience = Task {
      try await Task.sleep(for: .seconds(2))
      answering.cancel()
    }
    await answering.value
    impatience.cancel()
    Platform.close(listener)
    signals.release()
    switch ending {
    case .done: return 0
    case .signal(let code): return code
    case .failed(let reason): throw ExitError(description: reason)
    }
  }

  private static func listen(at port: UInt16) throws(ExitError) -> (descriptor: Int32, port: UInt16) {
    let advice = "choose another: demo serve --port \(port == .max ? 8_080 : max(port, 1_023) + 1)"
    do {
      if let listener = try Sockets.beginListening(port: port) { return listener }
    } catch {
      throw ExitError(description: "cannot use port \(port): \(error); \(advice)")
    }
    throw ExitError(description: "port \(port) is in use; \(advice)")
  }

  private enum Ending {
    case done
    case signal(Int32)
    case failed(String)
  }

  /// Feeds the list. When the source is over, the list stays; a feed begins again, so that there is something to see.
  private static func feed(_ scenario: PreparedScenario, _ run: ScenarioRun, repeats: Bool) async -> Ending? {
    do {
      repeat {
        try await scenario.source()
        if repeats { try await Task.sleep(for: .seconds(1)) }
      } while repeats && !Task.isCancelled
      return nil
    } catch {
      return Task.isCancelled ? nil : .failed("\(error)")
    }
  }
}
