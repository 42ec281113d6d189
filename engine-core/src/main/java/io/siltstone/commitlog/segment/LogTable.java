package io.siltstone.commitlog.segment;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A table in one encoding, as records of a {@link CommitLog} name it; made by {@link
 * CommitLog#table}. A table whose encoding changes gets another one, of the same id. Safe for all
 * threads; holds nothing that needs closing.
 */
public final class LogTable {
  private final CommitLog log;
  private final int number;
  private final UUID id;
  private final String name;
  private final byte[] header;

  // Where the current segment keeps account of it; guarded by the lock of the log's tail.
  private @Nullable SegmentTable account;
  // The last count of a record's bytes that has included the header; guarded likewise.
  private long countedIn;

  LogTable(CommitLog log, int number, UUID id, String name, byte[] header) {
    this.log = log;
    this.number = number;
    this.id = id;
    this.name = name;
    this.header = header;
  }

  /** The table's id. */
  public UUID id() {
    return id;
  }

  CommitLog log() {
    return log;
  }

  /** What stands for it in the records of this log; not used again by the same log. */
  int number() {
    return number;
  }

  byte[] header() {
    return header;
  }

  /** The account in that segment, or null if the segment does not know the table yet. */
  @Nullable SegmentTable accountIn(Segment segment) {
    SegmentTable known = account;
    return known != null && known.segment() == segment ? known : null;
  }

  /** Whether this is the first call for that count of a record's bytes. Counts begin at 1. */
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
