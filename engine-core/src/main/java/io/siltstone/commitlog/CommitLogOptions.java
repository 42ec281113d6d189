package io.siltstone.commitlog;

import io.siltstone.io.Directory;
import io.siltstone.text.OptionsText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options of the commit log. Immutable, safe for use by any number of threads. Created by {@link
 * #builder()}, whose {@link Builder#build} reports all invalid values together.
 */
public final class CommitLogOptions {
  /** The default of Cassandra's {@code commitlog_sync_period}. */
  public static final Duration DEFAULT_PERIOD = Duration.ofSeconds(10);

  /** Short compared to a sync of a disk that has no write cache. */
  public static final Duration DEFAULT_GROUP_WINDOW = Duration.ofMillis(5);

  /** The default of Cassandra's {@code commitlog_segment_size}. */
  public static final int DEFAULT_SEGMENT_BYTES = 32 << 20;

  /**
   * More than the largest batch that is usual, and less than what makes other writers wait long.
   */
  public static final int DEFAULT_MAX_MUTATION_BYTES = 256 << 20;

  /** More than many writers append during one write to the file. */
  public static final int DEFAULT_BUFFER_BYTES = 4 << 20;

  /** The size of thirty-two segments. */
  public static final long DEFAULT_TOTAL_SPACE_BYTES = 1L << 30;

  private static final int MIN_SEGMENT_BYTES = 1024;
  private static final int MAX_SEGMENT_BYTES = 1 << 30;
  private static final int MIN_MUTATION_BYTES = 512;
  private static final int MAX_MUTATION_BYTES = 1 << 30;
  private static final int MIN_BUFFER_BYTES = 256;
  private static final Duration MIN_WAIT = Duration.ofNanos(1);
  private static final Duration MAX_WAIT = Duration.ofHours(1);

  private final SyncMode syncMode;
  private final Duration period;
  private final Duration groupWindow;
  private final int segmentBytes;
  private final int maxMutationBytes;
  private final int bufferBytes;
  private final long totalSpaceBytes;
  private final @Nullable Directory archive;

  private CommitLogOptions(Builder builder) {
    syncMode = builder.syncMode;
    period = builder.period;
    groupWindow = builder.groupWindow;
    segmentBytes = builder.segmentBytes;
    maxMutationBytes = builder.maxMutationBytes;
    bufferBytes = builder.bufferBytes;
    totalSpaceBytes = builder.totalSpaceBytes;
    archive = builder.archive;
  }

  /** Returns the options that differ from the defaults, in one line. */
  @Override
  public String toString() {
    Builder defaults = new Builder();
    return new OptionsText(CommitLogOptions.class)
        .add("syncMode", syncMode, defaults.syncMode)
        .add("period", period, defaults.period)
        .add("groupWindow", groupWindow, defaults.groupWindow)
        .add("segmentBytes", segmentBytes, defaults.segmentBytes)
        .add("maxMutationBytes", maxMutationBytes, defaults.maxMutationBytes)
        .add("bufferBytes", bufferBytes, defaults.bufferBytes)
        .add("totalSpaceBytes", totalSpaceBytes, defaults.totalSpaceBytes)
        .add("archive", archive == null ? null : archive.path(), null)
        .toString();
  }

  /** Returns a builder with all options at their defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts with these options. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.syncMode = syncMode;
    builder.period = period;
    builder.groupWindow = groupWindow;
    builder.segmentBytes = segmentBytes;
    builder.maxMutationBytes = maxMutationBytes;
    builder.bufferBytes = bufferBytes;
    builder.totalSpaceBytes = totalSpaceBytes;
    builder.archive = archive;
    return builder;
  }

  /** Returns when the log is synced, and what a write waits for. */
  public SyncMode syncMode() {
    return syncMode;
  }

  /** Returns the time between two syncs in the mode {@link SyncMode#PERIODIC}, up to an hour. */
  public Duration period() {
    return period;
  }

  /** Returns how long a sync in the mode {@link SyncMode#GROUP} waits for further writes. */
  public Duration groupWindow() {
    return groupWindow;
  }

  /**
   * Returns the size of a segment's file in bytes. A segment is larger only if its first record,
   * with the headers of its tables, does not fit.
   */
  public int segmentBytes() {
    return segmentBytes;
  }

  /**
   * Returns the maximum size of a mutation or batch in bytes, as it is in the log. What does not
   * fit into the off-heap memory is refused in any case. Other writers wait while it is written,
   * and reading it again when the database is opened after a crash takes as much heap.
   */
  public int maxMutationBytes() {
    return maxMutationBytes;
  }

  /** Returns the bytes of off-heap memory in which records gather that are written together. */
  public int bufferBytes() {
    return bufferBytes;
  }

  /** Returns the total size of the segments in bytes above which the listener is called. */
  public long totalSpaceBytes() {
    return totalSpaceBytes;
  }

  /** Returns where segments are archived before they are deleted; null for no archive. */
  public @Nullable Directory archive() {
    return archive;
  }

  /**
   * Collects options. Not safe for use by several threads. Values are checked by {@link #build}.
   */
  public static final class Builder {
    private SyncMode syncMode = SyncMode.PERIODIC;
    private Duration period = DEFAULT_PERIOD;
    private Duration groupWindow = DEFAULT_GROUP_WINDOW;
    private int segmentBytes = DEFAULT_SEGMENT_BYTES;
    private int maxMutationBytes = DEFAULT_MAX_MUTATION_BYTES;
    private int bufferBytes = DEFAULT_BUFFER_BYTES;
    private long totalSpaceBytes = DEFAULT_TOTAL_SPACE_BYTES;
    private @Nullable Directory archive;

    private Builder() {}

    /** Sets {@link CommitLogOptions#syncMode()}; periodic by default. */
    public Builder syncMode(SyncMode value) {
      syncMode = Objects.requireNonNull(value, "syncMode");
      return this;
    }

    /** Sets {@link CommitLogOptions#period()}; 10 s by default, more than 0 and at most 1 hour. */
    public Builder period(Duration value) {
      period = Objects.requireNonNull(value, "period");
      return this;
    }

    /**
     * Sets {@link CommitLogOptions#groupWindow()}; 5 ms by default, more than 0 and at most 1 hour.
     */
    public Builder groupWindow(Duration value) {
      groupWindow = Objects.requireNonNull(value, "groupWindow");
      return this;
    }

    /** Sets {@link CommitLogOptions#segmentBytes()}; 32 MiB by default, 1 KiB to 1 GiB. */
    public Builder segmentBytes(int value) {
      segmentBytes = value;
      return this;
    }

    /**
     * Sets {@link CommitLogOptions#maxMutationBytes()}, Cassandra's {@code max_mutation_size}; 256
     * MiB by default, 512 bytes to 1 GiB.
     */
    public Builder maxMutationBytes(int value) {
      maxMutationBytes = value;
      return this;
    }

    /** Sets {@link CommitLogOptions#bufferBytes()}; 4 MiB by default, at least 256 bytes. */
    public Builder bufferBytes(int value) {
      bufferBytes = value;
      return this;
    }

    /** Sets {@link CommitLogOptions#totalSpaceBytes()}; 1 GiB by default, at least two segments. */
    public Builder totalSpaceBytes(long value) {
      totalSpaceBytes = value;
      return this;
    }

    /**
     * Sets {@link CommitLogOptions#archive()}; none by default. On the file system of the log a
     * segment is archived by a hard link, on another one by a copy. Nothing is synced during a
     * copy; writes that require no sync continue.
     */
    public Builder archive(@Nullable Directory value) {
      archive = value;
      return this;
    }

    /**
     * Returns the options.
     *
     * @throws IllegalArgumentException if values are out of range; the message lists all of them
     *     with their values and ranges
     */
    public CommitLogOptions build() {
      List<String> wrong = new ArrayList<>();
      requireWait(wrong, "commitlog_sync_period", period);
      requireWait(wrong, "commitlog_sync_group_window", groupWindow);
      if (segmentBytes < MIN_SEGMENT_BYTES || segmentBytes > MAX_SEGMENT_BYTES) {
        wrong.add("commitlog_segment_size " + segmentBytes + " bytes, allowed 1 KiB to 1 GiB");
      }
      if (maxMutationBytes < MIN_MUTATION_BYTES || maxMutationBytes > MAX_MUTATION_BYTES) {
        wrong.add("max_mutation_size " + maxMutationBytes + " bytes, allowed 512 bytes to 1 GiB");
      }
      if (bufferBytes < MIN_BUFFER_BYTES) {
        wrong.add("commit log buffer of " + bufferBytes + " bytes, allowed 256 or more");
      }
      if (totalSpaceBytes < 2L * segmentBytes) {
        wrong.add(
            "commitlog_total_space "
                + totalSpaceBytes
                + " bytes, allowed two segments of "
                + segmentBytes
                + " or more");
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
