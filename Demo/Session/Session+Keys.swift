import Rowcast
import RowcastConsole

extension Session {
  /// Does what a key says.
  func handle(_ key: Key) async {
    if prompt != nil { return await type(key) }
    screen?.message = nil
    let page = max(1, table.height - 1)
    do {
      switch key {
      case "q", "Q": return end(.quit)
      case .up, "k": try table.scroll(byLines: -1)
      case .down, "j": try table.scroll(byLines: 1)
      case .pageUp, "b": try table.scroll(byLines: -page)
      case .pageDown, " ": try table.scroll(byLines: page)
      case .home, "g": try table.scroll(toLine: 0)
      case .end, "G": try table.scroll(toLine: table.contentHeight)
      case "u": return await undo()
      case "f":
        table.followsTail.toggle()
        if table.followsTail { try table.scroll(toLine: table.contentHeight) }
      default:
        guard let command = scenario.commands.first(where: { $0.key == key }) else { return }
        return await perform(command)
      }
      try draw()
    } catch {
      end(Self.ending(of: error))
    }
  }

  private func undo() async {
    // A finished store stays as it is.
    if let list = history.goBack() { try? await store.restore(list) }
  }

  private func perform(_ command: KeyCommand) async {
    switch command.effect {
    case .action(let action):
      say(await action(nil))
    case .prompt(let label, let change):
      prompt = Prompt(key: command.key, label: label, former: typed[command.key] ?? "", change: change)
      showPrompt()
    }
  }

  /// Takes a key while a text is typed: Enter keeps the text, Escape goes back to the one before.
  private func type(_ key: Key) async {
    guard var open = prompt else { return }
    switch key {
    case .enter:
      prompt = nil
      say(nil)
    case .escape:
      prompt = nil
      typed[open.key] = open.former
      say(await open.change(open.former))
    default:
      guard open.take(key) else { return }
      prompt = open
      typed[open.key] = open.text
      showPrompt()
      _ = await open.change(open.text)
    }
  }

  private func showPrompt() {
    guard let prompt else { return }
    say("\(prompt.label)\(prompt.text)_   Enter keeps, Esc cancels")
  }

  /// Does what a signal says.
  func handle(_ signal: ConsoleSignal) {
    switch signal {
    case .interrupt, .terminate, .hangUp:
      end(.signalled(signal))
    case .suspend:
      isSuspended = true
      screen?.leave()
      Platform.stopUntilResumed()
    case .resume, .resize:
      guard let screen else { return }
      reportingFailure {
        isSuspended = false
        try screen.enter()
        screen.measure()
        try table.resize(toHeight: screen.tableHeight)
        try draw()
      }
    }
  }
}
