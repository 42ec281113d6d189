package io.siltstone.commitlog.segment;

import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The handle by which records of a {@link CommitLog} name a table in one encoding; {@link
 * CommitLog#table} creates it. A table whose encoding changes gets another handle with the same id.
 * Safe for use by all threads; there is nothing to close.
 */
public final class LogTable {
  private final CommitLog log;
  private final int number;
  private final UUID id;
  private final String name;
  private final Supplier<byte[]> source;

  // Null until it is first needed, which is rarely for most of many tables.
  private volatile byte @Nullable [] header;

  // Its entry in the current segment; guarded by the lock of the log's tail.
  private @Nullable SegmentTable account;
  // The last counting of a record's bytes that included the header; guarded by the same lock.
  private long countedIn;

  LogTable(CommitLog log, int number, UUID id, String name, Supplier<byte[]> source) {
    this.log = log;
    this.number = number;
    this.id = id;
    this.name = name;
    this.source = source;
  }

  /** Returns the table's id. */
  public UUID id() {
    return id;
  }

  CommitLog log() {
    return log;
  }

  /**
   * Returns the number that identifies it in the records of this log; a log uses a number only
   * once.
   */
  int number() {
    return number;
  }

  byte[] header() {
    byte[] present = header;
    if (present == null) {
      present = source.get();
      header = present;
    }
    return present;
  }

  /** Returns the account in that segment, or null if the segment does not know the table yet. */
  @Nullable SegmentTable accountIn(Segment segment) {
    SegmentTable known = account;
    return known != null && known.segment() == segment ? known : null;
  }

  /**
   * Returns whether this is the first call in one counting of a record's bytes. Countings are
   * numbered from 1.
   */
  boolean countIn(long count) {
    boolean isFirst = countedIn != count;
    countedIn = count;
    return isFirst;
  }

  void account(SegmentTable value) {
    account = value;
  }

  @Override
  public String toString() {
    return name + " (" + id + ")";
  }
}
