package io.siltstone.commitlog;

import io.siltstone.io.Directory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the commit log is kept. Immutable; made by {@link #builder()}, which reports every wrong
 * value at once.
 */
public final class CommitLogOptions {
  /** As Cassandra's {@code commitlog_sync_period}. */
  public static final Duration DEFAULT_PERIOD = Duration.ofSeconds(10);

  /** Short against what a disk without a cache of its own needs for a sync. */
  public static final Duration DEFAULT_GROUP_WINDOW = Duration.ofMillis(5);

  /** As Cassandra's {@code commitlog_segment_size}. */
  public static final int DEFAULT_SEGMENT_BYTES = 32 << 20;

  /** What a fast writer makes in some milliseconds, while the thread that drains it is away. */
  public static final int DEFAULT_BUFFER_BYTES = 4 << 20;

  /** Thirty-two segments. */
  public static final long DEFAULT_TOTAL_SPACE_BYTES = 1L << 30;

  private static final int MIN_SEGMENT_BYTES = 1024;
  private static final int MAX_SEGMENT_BYTES = 1 << 30;
  private static final int MIN_BUFFER_BYTES = 256;
  private static final Duration MIN_WAIT = Duration.ofNanos(1);
  private static final Duration MAX_WAIT = Duration.ofHours(1);

  private final SyncMode syncMode;
  private final Duration period;
  private final Duration groupWindow;
  private final int segmentBytes;
  private final int bufferBytes;
  private final long totalSpaceBytes;
  private final @Nullable Directory archive;

  private CommitLogOptions(Builder builder) {
    syncMode = builder.syncMode;
    period = builder.period;
    groupWindow = builder.groupWindow;
    segmentBytes = builder.segmentBytes;
    bufferBytes = builder.bufferBytes;
    totalSpaceBytes = builder.totalSpaceBytes;
    archive = builder.archive;
  }

  /** A builder of the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder that begins with these options. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.syncMode = syncMode;
    builder.period = period;
    builder.groupWindow = groupWindow;
    builder.segmentBytes = segmentBytes;
    builder.bufferBytes = bufferBytes;
    builder.totalSpaceBytes = totalSpaceBytes;
    builder.archive = archive;
    return builder;
  }

  /** When the log is synced; periodic by default. */
  public SyncMode syncMode() {
    return syncMode;
  }

  /** Time between two syncs of {@link SyncMode#PERIODIC}. */
  public Duration period() {
    return period;
  }

  /** How long {@link SyncMode#GROUP} lets writes gather. */
  public Duration groupWindow() {
    return groupWindow;
  }

  /**
   * Size of a segment's file. Only one whose first record, with the headers of its tables, needs
   * more is larger.
   */
  public int segmentBytes() {
    return segmentBytes;
  }

  /** Bytes of a record's changes at most: half a segment. */
  public int maxRecordBytes() {
    return segmentBytes / 2;
  }

  /** Off-heap memory for what is not yet handed to the operating system. */
  public int bufferBytes() {
    return bufferBytes;
  }

  /** Size of all segments from which on the listener is told. */
  public long totalSpaceBytes() {
    return totalSpaceBytes;
  }

  /** Where finished segments are kept before they are deleted, or null if they are not. */
  public @Nullable Directory archive() {
    return archive;
  }

  /** Collects options. Not safe for threads. */
  public static final class Builder {
    private SyncMode syncMode = SyncMode.PERIODIC;
    private Duration period = DEFAULT_PERIOD;
    private Duration groupWindow = DEFAULT_GROUP_WINDOW;
    private int segmentBytes = DEFAULT_SEGMENT_BYTES;
    private int bufferBytes = DEFAULT_BUFFER_BYTES;
    private long totalSpaceBytes = DEFAULT_TOTAL_SPACE_BYTES;
    private @Nullable Directory archive;

    private Builder() {}

    /** See {@link CommitLogOptions#syncMode()}. */
    public Builder syncMode(SyncMode value) {
      syncMode = Objects.requireNonNull(value, "syncMode");
      return this;
    }

    /** See {@link CommitLogOptions#period()}: more than nothing, to an hour. */
    public Builder period(Duration value) {
      period = Objects.requireNonNull(value, "period");
      return this;
    }

    /** See {@link CommitLogOptions#groupWindow()}: more than nothing, to an hour. */
    public Builder groupWindow(Duration value) {
      groupWindow = Objects.requireNonNull(value, "groupWindow");
      return this;
    }

    /** See {@link CommitLogOptions#segmentBytes()}: 1 KiB to 1 GiB. */
    public Builder segmentBytes(int value) {
      segmentBytes = value;
      return this;
    }

    /** See {@link CommitLogOptions#bufferBytes()}: 256 and more. */
    public Builder bufferBytes(int value) {
      bufferBytes = value;
      return this;
    }

    /** See {@link CommitLogOptions#totalSpaceBytes()}: two segments and more. */
    public Builder totalSpaceBytes(long value) {
      totalSpaceBytes = value;
      return this;
    }

    /**
     * See {@link CommitLogOptions#archive()}. On the log's own file system archiving is a link,
     * otherwise a copy, during which nothing is synced.
     */
    public Builder archive(@Nullable Directory value) {
      archive = value;
      return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException naming each option that is wrong, its value and what is
     *     allowed
     */
    public CommitLogOptions build() {
      List<String> wrong = new ArrayList<>();
      requireWait(wrong, "commitlog_sync_period", period);
      requireWait(wrong, "commitlog_sync_group_window", groupWindow);
      if (segmentBytes < MIN_SEGMENT_BYTES || segmentBytes > MAX_SEGMENT_BYTES) {
        wrong.add("commitlog_segment_size " + segmentBytes + " bytes, allowed 1 KiB to 1 GiB");
      }
      if (bufferBytes < MIN_BUFFER_BYTES) {
        wrong.add("commit log buffer of " + bufferBytes + " bytes, allowed 256 and more");
      }
      if (totalSpaceBytes < 2L * segmentBytes) {
        wrong.add(
            "commitlog_total_space "
                + totalSpaceBytes
                + " bytes, allowed two segments of "
                + segmentBytes
                + " and more");
      }
      if (!wrong.isEmpty()) {
        throw new IllegalArgumentException(String.join("; ", wrong));
      }
      return new CommitLogOptions(this);
    }

    private static void requireWait(List<String> wrong, String option, Duration value) {
      if (value.compareTo(MIN_WAIT) < 0 || value.compareTo(MAX_WAIT) > 0) {
        wrong.add(option + " " + value + ", allowed more than nothing, to one hour");
      }
    }
  }
}
