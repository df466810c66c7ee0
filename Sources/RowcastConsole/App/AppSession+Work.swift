#if canImport(RowcastPlatform)
  import RowcastPlatform
  import RowcastTerminal

  extension AppSession {
    /// What is to be done with the work of the app.
    enum WorkOrder: Sendable {
      /// Begins work, by its number.
      case begin(Int, @Sendable () async -> AppState<Section, Row>.Event)
      /// Forgets work that has ended, by its number.
      case forget(Int)
      /// Passes a text to the command of a prompt, by its index.
      case pass(TypedChange, command: Int, @Sendable (String) async -> String?)
      /// A command has taken a text, by the number of that work: it can take the next one.
      case taken(Int, command: Int)
    }

    /// Begins the work of the app in the order of its keys, each in a task of its own.
    ///
    /// Work begins when the work before it has ended or has to wait for the first time. So what it does until then is in the order of
    /// the keys, too, such as adding an edit to a queue. It does not run in the loop: code that takes long delays later work, but no
    /// key and no frame.
    struct WorkStarter {
      private let send: AsyncStream<Event>.Continuation
      private let order: AsyncStream<WorkOrder>.Continuation
      /// The running work, by number.
      private var works: [Int: Task<Void, Never>] = [:]
      /// The commands that are taking a text, and the newest text for each of them that waits.
      private var taking: Set<Int> = []
      private var waiting: [Int: (typed: TypedChange, change: @Sendable (String) async -> String?)] = [:]

      init(_ send: AsyncStream<Event>.Continuation, _ order: AsyncStream<WorkOrder>.Continuation) {
        (self.send, self.order) = (send, order)
      }

      /// Follows the orders until the task is cancelled, and then cancels the running work.
      mutating func follow(_ orders: AsyncStream<WorkOrder>) async {
        for await next in orders {
          switch next {
          case .begin(let number, let work):
            works[number] = await Self.begin { [send] in send.yield(.app(await work())) }
          case .forget(let number): works[number] = nil
          case .pass(let typed, let command, let change):
            if taking.contains(command) {
              // Of the texts that wait, only the newest is kept.
              let older = waiting.updateValue((typed, change), forKey: command)
              if let older { send.yield(.app(.taken(older.typed.number))) }
            } else {
              await pass(typed, to: command, change)
            }
          case .taken(let number, let command):
            works[number] = nil
            taking.remove(command)
            if let (typed, change) = waiting.removeValue(forKey: command) { await pass(typed, to: command, change) }
          }
        }
        for task in works.values { task.cancel() }
      }

      /// Passes a text to the command of a prompt, which handles one at a time.
      private mutating func pass(
        _ typed: TypedChange, to command: Int, _ change: @escaping @Sendable (String) async -> String?
      ) async {
        taking.insert(command)
        works[typed.number] = await Self.begin { [send, order] in
          let answer = await change(typed.text)
          if !typed.isSilent { send.yield(.app(.message(answer, work: nil))) }
          send.yield(.app(.taken(typed.number)))
          order.yield(.taken(typed.number, command: command))
        }
      }

      /// Begins work in a task. Returns when the work has ended, or has to wait for the first time.
      private static func begin(_ work: @escaping @Sendable () async -> Void) async -> Task<Void, Never> {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
          return Task.immediate {
            Platform.reserveSignalStack()
            await work()
          }
        }
        // On older systems, returns when the work begins.
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
          Platform.reserveSignalStack()
          begin.finish()
          await work()
        }
        for await _ in begun {}
        return task
      }
    }
  }
#endif
