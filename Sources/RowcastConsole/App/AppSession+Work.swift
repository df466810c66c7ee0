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
      /// The running work, by number; empty where the work is in a group of tasks.
      private var works: [Int: Task<Void, Never>] = [:]
      /// The commands that are taking a text, and the newest text for each of them that waits.
      private var taking: Set<Int> = []
      private var waiting: [Int: (typed: TypedChange, change: @Sendable (String) async -> String?)] = [:]

      /// Begins work in a task, and returns that, or `nil` if the task of the starter cancels it.
      private typealias Begin = (@escaping @Sendable () async -> Void) async -> Task<Void, Never>?

      init(_ send: AsyncStream<Event>.Continuation, _ order: AsyncStream<WorkOrder>.Continuation) {
        (self.send, self.order) = (send, order)
      }

      /// Follows the orders until the task is cancelled, which cancels the running work, and the work that is begun later. A text that
      /// waits for its command then is dropped.
      mutating func follow(_ orders: AsyncStream<WorkOrder>) async {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
          await withDiscardingTaskGroup { group in
            for await next in orders {
              await follow(next) { work in
                group.addImmediateTask {
                  Platform.reserveSignalStack()
                  await work()
                }
                return nil
              }
            }
          }
        } else {
          for await next in orders { await follow(next) { await Self.begin($0) } }
          for task in works.values { task.cancel() }
        }
      }

      private mutating func follow(_ next: WorkOrder, _ begin: Begin) async {
        switch next {
        case .begin(let number, let work):
          works[number] = await begin { [send] in send.yield(.app(await work())) }
        case .forget(let number): works[number] = nil
        case .pass(let typed, let command, let change):
          if taking.contains(command) {
            // Of the texts that wait, only the newest is kept.
            let older = waiting.updateValue((typed, change), forKey: command)
            if let older { send.yield(.app(.taken(older.typed.number))) }
          } else {
            await pass(typed, to: command, change, begin)
          }
        case .taken(let number, let command):
          works[number] = nil
          taking.remove(command)
          if let (typed, change) = waiting.removeValue(forKey: command) {
            await pass(typed, to: command, change, begin)
          }
        }
      }

      /// Passes a text to the command of a prompt, which handles one at a time.
      private mutating func pass(
        _ typed: TypedChange, to command: Int, _ change: @escaping @Sendable (String) async -> String?, _ begin: Begin
      ) async {
        taking.insert(command)
        works[typed.number] = await begin { [send, order] in
          let answer = await change(typed.text)
          if !typed.isSilent { send.yield(.app(.message(answer, work: nil))) }
          send.yield(.app(.taken(typed.number)))
          order.yield(.taken(typed.number, command: command))
        }
      }

      /// Begins work where there are no immediate tasks. Returns when its task runs; the work may then begin after the next one.
      private static func begin(_ work: @escaping @Sendable () async -> Void) async -> Task<Void, Never> {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
          Platform.reserveSignalStack()
          begin.finish()
          await work()
        }
        if Task.isCancelled { task.cancel() }
        for await _ in begun {}
        return task
      }
    }
  }
#endif
