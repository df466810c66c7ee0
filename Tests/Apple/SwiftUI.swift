// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The signatures of SwiftUI that the documentation uses, as its Swift interface has them. Nothing here runs. They follow Apple's
// documentation: the page of a type is https://developer.apple.com/documentation/swiftui/TYPE, in small letters, and that of a
// modifier is under the page of its view, as in view/swipeactions(edge:allowsfullswipe:content:).

@_exported import Foundation
@_exported import Observation

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("no view has this body") }
}

public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
  public var body: Never { fatalError("this view has no body") }
}

@resultBuilder public struct ViewBuilder {
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<First: View, Second: View>(_ first: First, _ second: Second) -> Conditional<
    First, Second
  > {
    .init()
  }
  public static func buildOptional<Content: View>(_ content: Content?) -> Conditional<Content, Content> { .init() }
  public static func buildEither<First: View, Second: View>(first: First) -> Conditional<First, Second> { .init() }
  public static func buildEither<First: View, Second: View>(second: Second) -> Conditional<First, Second> { .init() }
}

public struct Conditional<First: View, Second: View>: PrimitiveView {}

@MainActor @propertyWrapper public struct State<Value> {
  public init(wrappedValue: Value) { value = wrappedValue }
  public init() where Value: ExpressibleByNilLiteral { value = nil }
  public var wrappedValue: Value {
    get { value }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { Binding(get: { value }, set: { _ in }) }
  private let value: Value
}

@propertyWrapper public struct Binding<Value> {
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { (self.get, self.set) = (get, set) }
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
  private let get: () -> Value
  private let set: (Value) -> Void
}

public struct ProgressView: PrimitiveView {
  public init() {}
}

public struct Text: PrimitiveView {
  public init<Content: StringProtocol>(_ content: Content) {}
}

public struct List<Content: View>: PrimitiveView {
  public init(@ViewBuilder content: () -> Content) {}
}

public struct Section<Content: View>: PrimitiveView {
  public init<Title: StringProtocol>(_ title: Title, @ViewBuilder content: () -> Content) {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: PrimitiveView {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable, ID == Data.Element.ID {}

  public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

public struct Button<Label: View>: PrimitiveView {
  public init<Title: StringProtocol>(_ title: Title, action: @escaping @MainActor () -> Void) where Label == Text {}
}

// Of Accessibility, whose page is https://developer.apple.com/documentation/accessibility/accessibilitynotification.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
public enum AccessibilityNotification {
  public struct Announcement {
    public init(_ announcement: String) {}
    public func post() {}
  }
}

public enum HorizontalEdge: Sendable { case leading, trailing }

extension View {
  public func swipeActions<Content: View>(
    edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> Content
  ) -> some View { self }
  public func task(@_inheritActorContext _ action: @escaping @Sendable () async -> Void) -> some View { self }
  public func task<ID: Equatable>(
    id: ID, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { self }
  public func searchable(text: Binding<String>) -> some View { self }
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping (_ oldValue: Value, _ newValue: Value) -> Void
  ) -> some View { self }
  public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View { self }
}

public protocol DynamicViewContent: View {}

extension ForEach: DynamicViewContent {}

extension DynamicViewContent {
  public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> some DynamicViewContent { self }
  public func onDelete(perform action: ((IndexSet) -> Void)?) -> some DynamicViewContent { self }
}
