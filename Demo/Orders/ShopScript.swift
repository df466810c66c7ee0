import RowcastDiff

/// What happens in a shop, and when.
enum ShopScript {
  enum Event: Sendable {
    /// A new customer, or another name.
    case customer(Customer)
    /// A new order, or one to which something was added.
    case order(Order)
    case cancelled(Order.ID)
  }

  private static let names = ["Ada", "Grace", "Edsger", "Barbara", "Tony", "Radia", "Leslie", "Frances"]
  private static let goods = [
    ("a keyboard", 49_00), ("a lamp", 18_50), ("two chairs", 120_00), ("tea", 6_90), ("a clock", 31_95),
  ]

  static func steps(seed: UInt64) -> [(time: Duration, event: Event)] {
    var generator = SplitMix64(seed: seed)
    var steps: [(time: Duration, event: Event)] = []
    var open: [Order] = []
    var time = Duration.milliseconds(50)
    func customer(_ index: Int, _ name: String) -> Event { .customer(Customer(id: "c\(index)", name: name)) }
    // The name of the last customer arrives after their first orders.
    for index in names.indices.dropLast() { steps.append((time, customer(index, names[index]))) }
    for number in 1...60 {
      time += .milliseconds(Int.random(in: 120...520, using: &generator))
      switch Int.random(in: 0..<8, using: &generator) {
      case 0 where open.count > 4:
        steps.append((time, .cancelled(open.remove(at: Int.random(in: 0..<open.count, using: &generator)).id)))
      case 1 where !open.isEmpty:
        let index = Int.random(in: 0..<open.count, using: &generator)
        open[index].goods += " and more"
        open[index].cents += 10_00
        steps.append((time, .order(open.remove(at: index))))
      default:
        let (name, cents) = goods.randomElement(using: &generator) ?? goods[0]
        let buyer = Int.random(in: 0..<names.count, using: &generator)
        let order = Order(id: "o\(number)", number: number, customerID: "c\(buyer)", goods: name, cents: cents)
        open.append(order)
        steps.append((time, .order(order)))
      }
      if number == 30 { steps.append((time, customer(names.count - 1, names[names.count - 1]))) }
      if number == 45 { steps.append((time, customer(0, "Countess Ada"))) }
    }
    return steps
  }
}
