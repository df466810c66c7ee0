// Our own tests use what users' tests use.
@_exported public import RowcastTesting

/// True if the rooms check their invariants. Tests may be built unoptimised beside rooms that are optimised, as this is.
public let roomsCheckInvariants = _isDebugAssertConfiguration()
