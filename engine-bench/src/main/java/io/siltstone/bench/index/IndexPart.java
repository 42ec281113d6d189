package io.siltstone.bench.index;

/** A part of the comparison of index formats, with the rows that it reads or writes. */
public enum IndexPart {
  /** Random rows and slices of one wide partition. */
  WIDE(Kind.WIDE, 400, true),
  /** Point reads of a table with one row per partition, its opening and its memory. */
  POINTS(Kind.POINTS, 400, false),
  /** Major compaction of rows of 50 bytes, one per partition. */
  COMPACTION_50(Kind.COMPACTION, 50, false),
  /** Major compaction of rows of 400 bytes, one per partition. */
  COMPACTION_400(Kind.COMPACTION, 400, false),
  /** Major compaction of wide partitions of rows of 400 bytes. */
  COMPACTION_WIDE(Kind.COMPACTION, 400, true),
  /** Flushes of rows of 50 bytes, one per partition. */
  FLUSH_50(Kind.FLUSH, 50, false),
  /** Flushes of rows of 400 bytes, one per partition. */
  FLUSH_400(Kind.FLUSH, 400, false);

  private static final int SINGLE_OVERHEAD = 43;
  private static final int WIDE_OVERHEAD = 28;

  /** The kind of measurement. */
  public enum Kind {
    /** Reads of a wide partition. */
    WIDE,
    /** Point reads. */
    POINTS,
    /** Compactions. */
    COMPACTION,
    /** Flushes. */
    FLUSH
  }

  private final Kind kind;
  private final int rowBytes;
  private final boolean isWide;

  IndexPart(Kind kind, int rowBytes, boolean isWide) {
    this.kind = kind;
    this.rowBytes = rowBytes;
    this.isWide = isWide;
  }

  /** Returns what is measured. */
  public Kind kind() {
    return kind;
  }

  /** Returns whether partitions have many rows. */
  public boolean isWide() {
    return isWide;
  }

  /** Returns the mean size of the text of a row, so that it has its size in the data file. */
  public int textBytes() {
    return rowBytes - (isWide ? WIDE_OVERHEAD : SINGLE_OVERHEAD);
  }

  /** Returns what is measured, for the report. */
  public String label() {
    String rows = (isWide ? "wide partitions of rows of " : "rows of ") + rowBytes + " bytes";
    return switch (kind) {
      case WIDE -> "reads, one partition of rows of " + rowBytes + " bytes";
      case POINTS -> "point reads, " + rows;
      case COMPACTION -> "compaction, " + rows;
      case FLUSH -> "flush, " + rows;
    };
  }
}
