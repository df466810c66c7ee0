/// The time at which a revision counts as saved: ``ListArchive`` then shows it to mirrors, and no end of the process loses it.
public enum ArchiveDurability: Hashable, Sendable {
  /// Once the system has its line: within microseconds, usually. A process that crashes or is killed loses nothing that is
  /// saved; a machine that loses power may lose the latest seconds, and damage the end of the file.
  case written
  /// Once it is on disk: it survives a power loss. Lines are written at once; the device is waited for at most once in this time,
  /// which costs some milliseconds. `.zero` saves each line as soon as the device can.
  case synced(every: Duration)
}
