/// The options of the command line.
enum Flag: String, CaseIterable {
  case tty = "--tty"
  case log = "--log"
  case json = "--json"
  case seed = "--seed"
  case speed = "--speed"
  case duration = "--duration"
  case maxUpdates = "--max-updates"
  case rows = "--rows"
  case fps = "--fps"
  case poolCap = "--pool-cap"
  case color = "--color"
  case noColor = "--no-color"
  case theme = "--theme"
  case noMouse = "--no-mouse"
  case screenReader = "--screen-reader"
  case lockstep = "--lockstep"
  case strictInput = "--strict-input"
  case keyframe = "--keyframe"
  case join = "--join"
  case html = "--html"
  case archive = "--archive"
  case recover = "--recover"
  case port = "--port"
  case filter = "--filter"
  case expand = "--expand"
  case tree = "--tree"
  case newest = "--newest"
  case lines = "--lines"
  case quiet = "--quiet"
  case list = "--list"
  case version = "--version"
  case help = "--help"

  /// Finds an option by its long or short name.
  init?(_ word: String) {
    switch word {
    case "-q": self = .quiet
    case "-h": self = .help
    default: self.init(rawValue: word)
    }
  }

  /// The value's name in the help; empty for an option without one.
  var placeholder: String {
    switch self {
    case .seed, .maxUpdates, .keyframe, .rows, .fps, .poolCap, .lines, .port: "N"
    case .speed: "X"
    case .duration: "S"
    case .color: "auto|always|never"
    case .theme: "dark|light|contrast|plain"
    case .html: "OUT"
    case .archive: "FILE"
    case .filter: "TEXT"
    case .newest: "first|last"
    case .expand: "N|all"
    default: ""
    }
  }

  var takesValue: Bool { !placeholder.isEmpty }

  var explanation: String {
    switch self {
    case .tty: "draw a live screen (the default on a terminal)"
    case .log: "write a log in words, a line for each operation (the default elsewhere)"
    case .json: "write JSON, a line with one object for each update"
    case .seed: "seed of the simulated events (default 1); with --json also of the epoch"
    case .speed: "simulated events arrive, and processes are read, this many times faster"
    case .duration: "stop after this many seconds; 0 shows files or ps once"
    case .maxUpdates: "stop after this many updates, the first list included"
    case .rows: "lines of the table (default: the screen's, or 20)"
    case .fps: "frames a second at most, 1 to 30 (default 30)"
    case .poolCap: "pooled cells of a kind at most (default 5)"
    case .color: "when to use colour; NO_COLOR and CLICOLOR_FORCE are obeyed"
    case .noColor: "the same as --color never"
    case .theme: "the colours of the screen (default: what fits the terminal)"
    case .noMouse: "leave the mouse to the terminal"
    case .screenReader: "for screen readers: cursor at the focused row, no decoration, log in words; or ACCESSIBLE=1"
    case .lockstep: "one update for every event that changes the list"
    case .strictInput: "stop at the first bad line, with exit code 1"
    case .keyframe: "with --json, write the whole list again after every N updates"
    case .join: "replay a stream from its middle, and continue after gaps"
    case .html: "write the recording of replay as a page for a browser (- is standard output)"
    case .archive: "keep the list of stdin or feed in a file, and continue from it in the next run"
    case .recover: "continue a damaged archive without the damaged lines and those after them, which a file keeps"
    case .expand: "how many levels of files or ps --tree begin expanded"
    case .tree: "show the processes of ps as a tree, each under its parent"
    case .newest: "where tail puts new lines (default: last)"
    case .lines: "how many lines tail begins with (default 1000)"
    case .port: "the port of serve at 127.0.0.1 (default 8080; 0 is any free one)"
    case .filter: "only the benchmarks whose name has this text"
    case .quiet: "no summary, no reports of bad lines (short: -q)"
    case .list: "list the scenarios"
    case .version: "print the version"
    case .help: "print this help (short: -h)"
    }
  }
}
