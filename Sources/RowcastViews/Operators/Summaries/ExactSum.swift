/// The sum of floating-point numbers without any rounding: a fixed-point number with as many digits as the numbers span.
///
/// A number that was added can be subtracted again, in any order, and nothing remains (U. Kulisch and V. Snyder, "The exact dot
/// product as basic tool for long interval arithmetic", 2011). Infinities and NaNs are counted.
@usableFromInline
struct ExactSum: Sendable {
  /// The exponent of the lowest bit of all numbers: of the smallest subnormal one.
  private static let lowestExponent = -1_074

  /// Digits of 32 bits with signs, the lowest first. Each accumulates the carries of many additions before they are passed on.
  private var digits: [Int64] = []
  /// The place of the first digit, counted from the lowest exponent.
  private var start = 0
  private var additions = 0
  private var (notNumbers, infinities, negativeInfinities) = (0, 0, 0)

  @usableFromInline
  init() {}

  /// Adds an integer, or subtracts it: as numbers that each have some of its bits.
  @usableFromInline
  mutating func add<Number: FixedWidthInteger>(_ number: Number, times sign: Int) {
    var (rest, place) = (number.magnitude, 0)
    while rest != 0 {
      let part = Double(UInt32(truncatingIfNeeded: rest))
      add(Double(sign: .plus, exponent: place, significand: part), times: number < 0 ? -sign : sign)
      (rest, place) = (rest >> 32, place + 32)
    }
  }

  /// Adds a number, or subtracts it if `sign` is −1.
  @usableFromInline
  mutating func add(_ number: Double, times sign: Int = 1) {
    if number == 0 { return }
    guard number.isFinite else {
      if number.isNaN {
        notNumbers += sign
      } else if number > 0 {
        infinities += sign
      } else {
        negativeInfinities += sign
      }
      return
    }
    // A subnormal number has the exponent of the smallest normal one, and no hidden bit.
    let isNormal = number.exponentBitPattern > 0
    let significand = number.significandBitPattern | (isNormal ? 1 << 52 : 0)
    let (place, offset) = (isNormal ? Int(number.exponentBitPattern) - 1 : 0).quotientAndRemainder(dividingBy: 32)
    let factor = Int64(number < 0 ? -sign : sign)
    let (low, high) = (significand << UInt64(offset), offset == 0 ? 0 : significand >> UInt64(64 - offset))
    makeRoom(from: place)
    digits[place - start] += factor * Int64(low & 0xFFFF_FFFF)
    digits[place - start + 1] += factor * Int64(low >> 32)
    digits[place - start + 2] += factor * Int64(high)
    additions += 1
    if additions == 1 << 30 {
      digits = Self.carried(digits)
      additions = 0
    }
    assert(
      start >= 0 && start <= place && place + 3 <= start + digits.count,
      "digits from \(place) on are not among the \(digits.count) from \(start) on")
  }

  /// Makes room for the three digits of a number.
  private mutating func makeRoom(from place: Int) {
    if digits.isEmpty { start = place }
    if place < start {
      digits.insert(contentsOf: repeatElement(0, count: start - place), at: 0)
      start = place
    }
    let missing = place + 3 - start - digits.count
    if missing > 0 { digits += repeatElement(0, count: missing) }
  }

  /// The digits with all carries passed on: all but the last lie between 0 and 2³²; the last has the sign.
  private static func carried(_ digits: [Int64]) -> [Int64] {
    var digits = digits + [0]
    for index in digits.indices.dropLast() {
      digits[index + 1] += digits[index] >> 32
      digits[index] &= 0xFFFF_FFFF
    }
    return digits
  }

  /// The sum, rounded once, to the nearest number.
  @usableFromInline var rounded: Double { mean(of: 1) }

  /// The mean of some numbers: the sum, divided by their number, and then rounded once unless that is subnormal.
  @usableFromInline
  func mean(of count: Int) -> Double {
    if notNumbers > 0 || (infinities > 0 && negativeInfinities > 0) { return .nan }
    if infinities > 0 { return .infinity }
    if negativeInfinities > 0 { return -.infinity }
    var digits = Self.carried(digits)
    let isNegative = digits[digits.count - 1] < 0
    if isNegative { digits = Self.carried(digits.map { -$0 }) }
    var start = start
    let isWhole = count == 1 || Self.divide(&digits, &start, by: UInt64(count))
    guard let top = digits.lastIndex(where: { $0 != 0 }) else { return 0 }
    // The 64 highest bits decide; the lowest of them also says whether anything follows.
    var (bits, room, isExact) = (UInt64(0), 64, isWhole)
    let width = 64 - digits[top].leadingZeroBitCount
    for index in stride(from: top, through: 0, by: -1) {
      let (digit, width) = (UInt64(digits[index]), index == top ? width : 32)
      let surplus = max(0, width - room)
      room -= width - surplus
      bits |= (digit >> UInt64(surplus)) << UInt64(room)
      if digit & ((1 << UInt64(surplus)) - 1) != 0 { isExact = false }
    }
    if !isExact { bits |= 1 }
    let lowest = Self.lowestExponent + (start + top) * 32 + width - 64
    return Double(sign: isNegative ? .minus : .plus, exponent: lowest, significand: Double(bits))
  }

  /// Divides a sum that is not negative, to five digits more than it has: more than the bits of a number.
  /// Returns true if nothing remains.
  private static func divide(_ digits: inout [Int64], _ start: inout Int, by count: UInt64) -> Bool {
    digits.insert(contentsOf: repeatElement(0, count: 5), at: 0)
    start -= 5
    var rest = UInt64(0)
    for index in digits.indices.reversed() {
      let (quotient, remainder) = count.dividingFullWidth((rest >> 32, rest << 32 | UInt64(digits[index])))
      (digits[index], rest) = (Int64(quotient), remainder)
    }
    return rest == 0
  }
}
