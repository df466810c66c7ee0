// swift-tools-version: 6.2
import PackageDescription

/// Schedules take all of Swift's jobs through hooks of the runtime, where it has them. `ROWCAST_NO_HOOKS` builds the subset that
/// other platforms and older compilers get.
#if compiler(>=6.3)
  let hooks: [Platform] = Context.environment["ROWCAST_NO_HOOKS"] == nil ? [.linux] : []
#else
  let hooks: [Platform] = []
#endif

/// Every target is built the same way: language mode 6, no warning survives.
let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ] + (hooks.isEmpty ? [] : [.define("ROWCAST_HOOKS", .when(platforms: hooks))])

/// What needs the C library: no product, and nothing that an app on a phone compiles. Signals and terminals are apart from files, which
/// every app compiles.
let platform = Set(["RowcastPlatform", "RowcastTerminal"])

/// The rooms in the order of the data flow; each may import only rooms above it.
let rooms: [(name: String, imports: [String])] = [
  ("RowcastDiff", []),
  ("RowcastModel", ["RowcastDiff"]),
  ("RowcastStore", ["RowcastDiff", "RowcastModel"]),
  ("RowcastSources", ["RowcastDiff", "RowcastModel", "RowcastStore", "RowcastPlatform"]),
  ("RowcastViews", ["RowcastDiff", "RowcastModel", "RowcastStore"]),
  ("RowcastTable", ["RowcastDiff", "RowcastModel"]),
  ("RowcastUI", ["RowcastDiff", "RowcastModel", "RowcastStore", "RowcastSources"]),
  (
    "RowcastConsole",
    [
      "RowcastDiff", "RowcastModel", "RowcastStore", "RowcastSources", "RowcastViews", "RowcastTable",
      "RowcastPlatform", "RowcastTerminal",
    ]
  ),
  (
    "RowcastTesting",
    ["RowcastDiff", "RowcastModel", "RowcastStore", "RowcastTable", "RowcastConsole", "RowcastPlatform"]
  ),
  // The only one that links the hooks of the concurrency runtime.
  ("RowcastSchedules", ["RowcastDiff", "CSchedules"]),
]

func dependencies(_ names: [String]) -> [Target.Dependency] {
  names.map {
    platform.contains($0)
      ? .target(name: $0, condition: .when(platforms: [.linux, .macOS])) : .init(stringLiteral: $0)
  }
}

/// A room and all that it is made of. A product names them all, and so do the demo and its tests: SwiftPM compiles a target again if
/// a module changes on which it depends itself, not if one does that this one re-exports. What is inlined would stay as it was.
func withImports(_ name: String) -> [String] {
  let imports = rooms.first { $0.name == name }?.imports ?? []
  let all = Set(imports.flatMap(withImports)).union([name])
  return rooms.map(\.name).filter(all.contains)
}

/// What the tests of a room import besides what the room does.
let testImports = [
  "RowcastUI": ["RowcastViews", "RowcastSchedules", "RowcastUIKit"],
  "RowcastConsole": ["RowcastSchedules", "RowcastTesting"],
  "RowcastTesting": ["RowcastSchedules", "RowcastSources", "RowcastViews"], "RowcastStore": ["RowcastSchedules"],
]

/// What the umbrella re-exports: all but the terminal and what only tests need.
let appRooms = rooms.map(\.name).filter { !["RowcastConsole", "RowcastTesting", "RowcastSchedules"].contains($0) }
let umbrella = ["Rowcast"] + appRooms

/// The test targets that are built, for a step of the gate that needs no others; all by default.
let tested = Context.environment["ROWCAST_TESTED"]?.split(separator: " ").map(String.init)
/// The targets that an optimised build optimises, for a step that judges no others; all by default.
let optimised = Context.environment["ROWCAST_OPTIMISED"]?.split(separator: " ").map(String.init)
func settings(of name: String) -> [SwiftSetting] {
  optimised?.contains(name) ?? true ? settings : settings + [.unsafeFlags(["-Onone"])]
}
/// The demo and its benchmarks take as long to build as all the rest; without their tests they are left out, too.
let buildsDemo = tested?.contains("EndToEndTests") ?? true

/// The tests of each room, and of the whole.
let tests: [Target] =
  rooms.map {
    .testTarget(
      name: $0.name + "Tests",
      dependencies: dependencies([$0.name, "RowcastTestSupport"] + $0.imports + testImports[$0.name, default: []]),
      swiftSettings: settings(of: $0.name + "Tests"))
  } + [
    .testTarget(
      name: "TurnstileTests", dependencies: ["RowcastDemoTurns", "RowcastTestSupport"],
      swiftSettings: settings(of: "TurnstileTests")),
    // Apart from the tests of the demo, so that it is compiled optimised in little time.
    .testTarget(
      name: "CallerActorTests",
      dependencies: dependencies(
        umbrella + ["RowcastConsole", "RowcastSchedules", "RowcastTesting", "RowcastTestSupport"]),
      swiftSettings: settings(of: "CallerActorTests")),
    .testTarget(
      name: "EndToEndTests",
      dependencies: dependencies(
        umbrella + [
          "RowcastConsole", "RowcastDemo", "RowcastSchedules", "RowcastTesting", "RowcastTestSupport",
          "RowcastPlatform", "RowcastTerminal",
        ]),
      swiftSettings: settings(of: "EndToEndTests")),
  ]

/// The names of targets are those of modules in the packages of users, too: all begin with that of the package.
let demo: [Target] = [
  .executableTarget(
    name: "RowcastDemo",
    dependencies: dependencies(
      umbrella + [
        "RowcastConsole", "RowcastDemoTurns", "RowcastDemoBench", "RowcastDemoListBench", "RowcastDemoViewBench",
        "RowcastBrowser", "RowcastPlatform", "RowcastTerminal",
      ]),
    path: "Demo", exclude: ["Bench", "Turns"],
    // In the program itself, which works wherever it is copied to.
    resources: [.embedInCode("Page/Web"), .embedInCode("Serve/Web")],
    swiftSettings: settings),
  .target(
    name: "RowcastDemoBench", dependencies: dependencies(["RowcastDiff", "RowcastPlatform", "RowcastTerminal"]),
    path: "Demo/Bench", exclude: ["Lists", "Views"],
    swiftSettings: settings(of: "RowcastDemoBench")),
  // Apart from each other and from the demo, so that they are compiled at the same time: their many specialisations take as
  // long as all the rest of it.
  .target(
    name: "RowcastDemoListBench", dependencies: dependencies(umbrella + ["RowcastDemoBench"]),
    path: "Demo/Bench/Lists",
    swiftSettings: settings(of: "RowcastDemoListBench")),
  .target(
    name: "RowcastDemoViewBench", dependencies: dependencies(umbrella + ["RowcastDemoBench"]),
    path: "Demo/Bench/Views",
    swiftSettings: settings(of: "RowcastDemoViewBench")),
]

let roomTargets: [Target] = rooms.map {
  .target(name: $0.name, dependencies: dependencies($0.imports), swiftSettings: settings(of: $0.name))
}

let otherTargets: [Target] = [
  // The hooks of the concurrency runtime, which are C functions.
  .target(
    name: "CSchedules",
    cSettings: hooks.isEmpty ? [] : [.define("ROWCAST_HOOKS", to: "1", .when(platforms: hooks))]),
  .target(name: "Rowcast", dependencies: dependencies(appRooms), swiftSettings: settings),
  // The views of UIKit and AppKit: elsewhere nothing of it is public. Apart, so that whoever does not import it depends on nothing of
  // what only stubs have checked.
  .target(name: "RowcastUIKit", dependencies: dependencies(umbrella), swiftSettings: settings),
  // A module for browsers, which servers serve: no app links it unless it asks for it.
  .target(name: "RowcastBrowser", exclude: ["rowcast.js", "rowcast.d.ts"], swiftSettings: settings),
  .target(name: "RowcastPlatform", swiftSettings: settings),
  .target(name: "RowcastTerminal", dependencies: ["RowcastPlatform"], swiftSettings: settings),
  .target(
    name: "RowcastTestSupport",
    dependencies: ["RowcastDiff", "RowcastModel", "RowcastStore", "RowcastSchedules", "RowcastTesting"],
    path: "Tests/TestSupport", swiftSettings: settings),
  // Apart from the demo, so that its tests under a sanitizer need nothing else of it.
  .target(name: "RowcastDemoTurns", path: "Demo/Turns", swiftSettings: settings),
]

let package = Package(
  name: "rowcast",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "Rowcast", targets: umbrella),
    .library(name: "RowcastUIKit", targets: ["RowcastUIKit"] + umbrella),
    .library(name: "RowcastBrowser", targets: ["RowcastBrowser"]),
  ] + (buildsDemo ? [.executable(name: "demo", targets: ["RowcastDemo"])] : [])
    + rooms.map { .library(name: $0.name, targets: withImports($0.name)) },
  targets: roomTargets + otherTargets + (buildsDemo ? demo : [])
    + tests.filter { tested?.contains($0.name) ?? true }
)
