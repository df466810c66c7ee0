// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The signatures of Foundation that this package and its stubs of UIKit, AppKit and SwiftUI use, as Foundation's Swift interface
// has them: the toolchain for Linux has no interface of Foundation for Apple's targets. Compiled for type checks only. A comment
// names the page of https://developer.apple.com/documentation that a type follows.

@_exported import Darwin

// objectivec/nsobjectprotocol, objectivec/nsobject-swift.class
public protocol NSObjectProtocol: AnyObject {}

open class NSObject: NSObjectProtocol, Hashable, CustomStringConvertible {
  public init() {}
  open var description: String { "" }
  public static func == (first: NSObject, second: NSObject) -> Bool { first === second }
  public func hash(into hasher: inout Hasher) {}
}

// foundation/nscoder
open class NSCoder: NSObject {}

// foundation/nsrange-swift.struct
public struct NSRange: Hashable, Sendable {
  public var (location, length) = (0, 0)
  public init() {}
}

// foundation/nsstring
public final class NSString: NSObject {}

// foundation/nsitemprovider
open class NSItemProvider: NSObject {}

// foundation/timeinterval
public typealias TimeInterval = Double

// corefoundation/cgfloat: the compiler converts it to Double and back by itself.
public struct CGFloat: Hashable, Comparable, Sendable, SignedNumeric, ExpressibleByFloatLiteral {
  public var native: Double
  public init(_ native: Double) { self.native = native }
  public init(integerLiteral value: Int) { native = Double(value) }
  public init(floatLiteral value: Double) { native = value }
  public init?(exactly source: some BinaryInteger) { native = Double(source) }
  public var magnitude: CGFloat { self }
  public static func < (first: Self, second: Self) -> Bool { first.native < second.native }
  public static func + (first: Self, second: Self) -> Self { first }
  public static func - (first: Self, second: Self) -> Self { first }
  public static func * (first: Self, second: Self) -> Self { first }
  public static func / (first: Self, second: Self) -> Self { first }
  public static func *= (first: inout Self, second: Self) {}
}

extension Double {
  public init(_ value: CGFloat) { self = value.native }
}

// corefoundation/cgpoint, corefoundation/cgsize, corefoundation/cgrect
public struct CGPoint: Hashable, Sendable {
  public var (x, y): (CGFloat, CGFloat)
  public init(x: CGFloat, y: CGFloat) { (self.x, self.y) = (x, y) }
  public static var zero: Self { .init(x: 0, y: 0) }
}

public struct CGSize: Hashable, Sendable {
  public var (width, height): (CGFloat, CGFloat)
  public init(width: CGFloat, height: CGFloat) { (self.width, self.height) = (width, height) }
  public static var zero: Self { .init(width: 0, height: 0) }
}

public struct CGRect: Hashable, Sendable {
  public var origin = CGPoint.zero
  public var size = CGSize.zero
  public static var zero: Self { .init() }
  public var minX: CGFloat { 0 }
  public var minY: CGFloat { 0 }
  public var maxX: CGFloat { 0 }
  public var maxY: CGFloat { 0 }
  public var width: CGFloat { 0 }
  public var height: CGFloat { 0 }
}

// foundation/indexpath
public struct IndexPath: Hashable, Comparable, Sendable {
  public init() {}
  public init(indexes: [Int]) {}
  public subscript(index: Int) -> Int { 0 }
  public static func < (first: Self, second: Self) -> Bool { false }
}

// foundation/indexset
public struct IndexSet: Hashable, Sendable, BidirectionalCollection, SetAlgebra {
  public struct Index: Comparable, Sendable {
    public static func < (first: Self, second: Self) -> Bool { false }
  }
  public typealias Element = Int
  public init() {}
  public init(_ elements: some Sequence<Int>) {}
  public init(integer: Int) {}
  public init(integersIn range: Range<Int>) {}
  public init(arrayLiteral elements: Int...) {}
  public var startIndex: Index { .init() }
  public var endIndex: Index { .init() }
  public func index(after index: Index) -> Index { index }
  public func index(before index: Index) -> Index { index }
  public subscript(index: Index) -> Int { 0 }
  public var isEmpty: Bool { true }
  public func contains(_ integer: Int) -> Bool { false }
  public func union(_ other: Self) -> Self { self }
  public func intersection(_ other: Self) -> Self { self }
  public func symmetricDifference(_ other: Self) -> Self { self }
  public mutating func formUnion(_ other: Self) {}
  public mutating func formIntersection(_ other: Self) {}
  public mutating func formSymmetricDifference(_ other: Self) {}
  @discardableResult
  public mutating func insert(_ integer: Int) -> (inserted: Bool, memberAfterInsert: Int) { (true, integer) }
  @discardableResult
  public mutating func remove(_ integer: Int) -> Int? { nil }
  @discardableResult
  public mutating func update(with integer: Int) -> Int? { nil }
}

// foundation/uuid
public struct UUID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  public init() {}
  public var uuidString: String { "" }
  public var description: String { "" }
  public static func < (first: Self, second: Self) -> Bool { false }
}

// foundation/date
public struct Date: Hashable, Comparable, Sendable, Codable {
  public init() {}
  public static func < (first: Self, second: Self) -> Bool { false }
}

// foundation/url
public struct URL: Hashable, Sendable {
  public init(fileURLWithPath path: String) {}
}

// foundation/data
public struct Data: Hashable, Sendable, Codable, RandomAccessCollection {
  public struct ReadingOptions: OptionSet, Sendable {
    public var rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var alwaysMapped: Self { .init(rawValue: 8) }
  }
  public init() {}
  public init(_ elements: some Sequence<UInt8>) {}
  public init(contentsOf url: URL, options: ReadingOptions = []) throws {}
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public subscript(index: Int) -> UInt8 { 0 }
  public subscript(bounds: Range<Int>) -> Data { self }
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(start: nil, count: 0))
  }
}

// foundation/jsonencoder, foundation/jsondecoder
public final class JSONEncoder: Sendable {
  public struct OutputFormatting: OptionSet, Sendable {
    public var rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var sortedKeys: Self { .init(rawValue: 2) }
    public static var withoutEscapingSlashes: Self { .init(rawValue: 8) }
  }
  public enum NonConformingFloatEncodingStrategy: Sendable {
    case `throw`
    case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }
  public init() {}
  public var outputFormatting: OutputFormatting {
    get { [] }
    set {}
  }
  public var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy {
    get { .throw }
    set {}
  }
  public func encode(_ value: some Encodable) throws -> Data { Data() }
}

public final class JSONDecoder: Sendable {
  struct Nothing: Error {}
  public enum NonConformingFloatDecodingStrategy: Sendable {
    case `throw`
    case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }
  public init() {}
  public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
    get { .throw }
    set {}
  }
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { throw Nothing() }
}

// foundation/processinfo
open class ProcessInfo: NSObject {
  open class var processInfo: ProcessInfo { ProcessInfo() }
  open var environment: [String: String] { [:] }
}

// foundation/filehandle
open class FileHandle: NSObject {
  open class var standardError: FileHandle { FileHandle() }
  open func write(_ data: Data) {}
}

// foundation/thread
open class Thread: NSObject {
  open class func sleep(forTimeInterval seconds: TimeInterval) {}
}

// swift/stringprotocol
extension StringProtocol {
  public var decomposedStringWithCanonicalMapping: String { String(self) }
  public func range(of text: some StringProtocol) -> Range<Index>? { nil }
  public func components(separatedBy separator: some StringProtocol) -> [String] { [] }
  public func replacingOccurrences(of target: some StringProtocol, with replacement: some StringProtocol) -> String {
    ""
  }
}
