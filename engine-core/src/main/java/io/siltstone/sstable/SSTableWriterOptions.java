package io.siltstone.sstable;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.WriteIntent;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.sstable.metadata.RepairState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Options for writing an SSTable. Immutable; created by {@link #builder()}, which reports all wrong
 * values at once.
 */
public final class SSTableWriterOptions {
  /**
   * The default size of an index block in bytes, which may be up to half a chunk less in the BIG
   * format. It is one default chunk: reading a row of a wide partition costs one chunk besides the
   * partition's first; Cassandra's 64 KiB cost up to four.
   */
  public static final int DEFAULT_COLUMN_INDEX_SIZE_BYTES = 16 * 1024;

  /** The default number of keys per sample of the summary. */
  public static final int DEFAULT_MIN_INDEX_INTERVAL = 128;

  /** The default share of absent keys that pass the bloom filter. */
  public static final double DEFAULT_BLOOM_FILTER_FP_CHANCE = 0.01;

  // The first value of Cassandra's own table of false-positive rates.
  private static final double LEAST_FP_CHANCE = 6.71e-5;

  private final CompressionOptions compression;
  private final double bloomFilterFpChance;
  private final int minIndexInterval;
  private final int columnIndexSizeBytes;
  private final long expectedPartitions;
  private final int level;
  private final RepairState repair;
  private final @Nullable UUID originatingHostId;
  private final CommitLogIntervals commitLogIntervals;
  private final WriteIntent intent;
  private final PipelineExecutors executors;
  private final OutputVerification outputVerification;

  private SSTableWriterOptions(Builder builder) {
    compression = builder.compression;
    bloomFilterFpChance = builder.bloomFilterFpChance;
    minIndexInterval = builder.minIndexInterval;
    columnIndexSizeBytes = builder.columnIndexSizeBytes;
    expectedPartitions = builder.expectedPartitions;
    level = builder.level;
    repair = builder.repair;
    originatingHostId = builder.originatingHostId;
    commitLogIntervals = builder.commitLogIntervals;
    intent = builder.intent;
    executors = builder.executors;
    outputVerification = builder.outputVerification;
  }

  /** Returns a builder with the default options. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder with these options. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.compression = compression;
    builder.bloomFilterFpChance = bloomFilterFpChance;
    builder.minIndexInterval = minIndexInterval;
    builder.columnIndexSizeBytes = columnIndexSizeBytes;
    builder.expectedPartitions = expectedPartitions;
    builder.level = level;
    builder.repair = repair;
    builder.originatingHostId = originatingHostId;
    builder.commitLogIntervals = commitLogIntervals;
    builder.intent = intent;
    builder.executors = executors;
    builder.outputVerification = outputVerification;
    return builder;
  }

  /** Returns the compression of the data. */
  public CompressionOptions compression() {
    return compression;
  }

  /**
   * Returns the compression of an SSTable of a version: without a dictionary if the version has
   * none.
   */
  CompressionOptions compressionOf(FormatVersion version) {
    return version.hasCompressionDictionary() ? compression : compression.withoutDictionary();
  }

  /** Returns the share of absent keys that pass the bloom filter; 1 for no filter. */
  public double bloomFilterFpChance() {
    return bloomFilterFpChance;
  }

  /** Returns the number of keys per sample of the summary, which only the BIG format has. */
  public int minIndexInterval() {
    return minIndexInterval;
  }

  /**
   * Returns the size of an index block in bytes, which may be up to half a chunk less in the BIG
   * format.
   */
  public int columnIndexSizeBytes() {
    return columnIndexSizeBytes;
  }

  /**
   * Returns the approximate number of partitions, which determines the size of the bloom filter.
   */
  public long expectedPartitions() {
    return expectedPartitions;
  }

  /** Returns the level in leveled compaction, 0 or more. */
  public int level() {
    return level;
  }

  /** Returns the state of repair of the data. */
  public RepairState repair() {
    return repair;
  }

  /** Returns the host that writes, or null. */
  public @Nullable UUID originatingHostId() {
    return originatingHostId;
  }

  /** Returns the intervals of the commit log whose data the SSTable contains. */
  public CommitLogIntervals commitLogIntervals() {
    return commitLogIntervals;
  }

  /** Returns the purpose for which the SSTable is written. */
  public WriteIntent intent() {
    return intent;
  }

  /**
   * Returns the executors that compress, write and sync while the writer goes on; none by default.
   * The writer's thread does the work that they have not begun when it is needed; the files are the
   * same.
   */
  public PipelineExecutors executors() {
    return executors;
  }

  /** Returns the thoroughness with which the files are verified before they are committed. */
  public OutputVerification outputVerification() {
    return outputVerification;
  }

  /** Builds options. Not safe for use by several threads. */
  public static final class Builder {
    private CompressionOptions compression = CompressionOptions.DEFAULT;
    private double bloomFilterFpChance = DEFAULT_BLOOM_FILTER_FP_CHANCE;
    private int minIndexInterval = DEFAULT_MIN_INDEX_INTERVAL;
    private int columnIndexSizeBytes = DEFAULT_COLUMN_INDEX_SIZE_BYTES;
    private long expectedPartitions = 100_000;
    private int level;
    private RepairState repair = RepairState.UNREPAIRED;
    private @Nullable UUID originatingHostId;
    private CommitLogIntervals commitLogIntervals = CommitLogIntervals.NONE;
    private WriteIntent intent = WriteIntent.FLUSH;
    private PipelineExecutors executors = PipelineExecutors.NONE;
    private OutputVerification outputVerification = OutputVerification.STRUCTURE;

    private Builder() {}

    /** See {@link SSTableWriterOptions#compression()}. */
    public Builder compression(CompressionOptions value) {
      compression = Objects.requireNonNull(value, "compression");
      return this;
    }

    /** See {@link SSTableWriterOptions#bloomFilterFpChance()}: 0.0000671 to 1. */
    public Builder bloomFilterFpChance(double value) {
      bloomFilterFpChance = value;
      return this;
    }

    /** See {@link SSTableWriterOptions#minIndexInterval()}: 1 or more. */
    public Builder minIndexInterval(int value) {
      minIndexInterval = value;
      return this;
    }

    /** See {@link SSTableWriterOptions#columnIndexSizeBytes()}: 1 KiB to 1 GiB. */
    public Builder columnIndexSizeBytes(int value) {
      columnIndexSizeBytes = value;
      return this;
    }

    /** See {@link SSTableWriterOptions#expectedPartitions()}: 1 or more. */
    public Builder expectedPartitions(long value) {
      expectedPartitions = value;
      return this;
    }

    /** See {@link SSTableWriterOptions#level()}. */
    public Builder level(int value) {
      level = value;
      return this;
    }

    /** See {@link SSTableWriterOptions#repair()}; unrepaired by default. */
    public Builder repair(RepairState value) {
      repair = Objects.requireNonNull(value, "repair");
      return this;
    }

    /** See {@link SSTableWriterOptions#originatingHostId()}. */
    public Builder originatingHostId(@Nullable UUID value) {
      originatingHostId = value;
      return this;
    }

    /** See {@link SSTableWriterOptions#commitLogIntervals()}. */
    public Builder commitLogIntervals(CommitLogIntervals value) {
      commitLogIntervals = Objects.requireNonNull(value, "commitLogIntervals");
      return this;
    }

    /** See {@link SSTableWriterOptions#intent()}. */
    public Builder intent(WriteIntent value) {
      intent = Objects.requireNonNull(value, "intent");
      return this;
    }

    /** See {@link SSTableWriterOptions#executors()}; none by default. */
    public Builder executors(PipelineExecutors value) {
      executors = Objects.requireNonNull(value, "executors");
      return this;
    }

    /**
     * See {@link SSTableWriterOptions#outputVerification()}; {@link OutputVerification#STRUCTURE}
     * by default.
     */
    public Builder outputVerification(OutputVerification value) {
      outputVerification = Objects.requireNonNull(value, "outputVerification");
      return this;
    }

    /**
     * Returns the options.
     *
     * @throws IllegalArgumentException naming each option that is wrong, its value and what is
     *     allowed
     */
    public SSTableWriterOptions build() {
      List<String> wrong = new ArrayList<>();
      if (!(bloomFilterFpChance >= LEAST_FP_CHANCE && bloomFilterFpChance <= 1)) {
        wrong.add("bloom_filter_fp_chance " + bloomFilterFpChance + ", allowed 0.0000671 to 1.0");
      }
      if (minIndexInterval < 1) {
        wrong.add("min_index_interval " + minIndexInterval + ", allowed 1 or more");
      }
      if (columnIndexSizeBytes < 1024 || columnIndexSizeBytes > 1 << 30) {
        wrong.add("column_index_size " + columnIndexSizeBytes + " bytes, allowed 1 KiB to 1 GiB");
      }
      if (expectedPartitions < 1) {
        wrong.add("expected partitions " + expectedPartitions + ", allowed 1 or more");
      }
      if (level < 0) {
        wrong.add("level " + level + ", allowed 0 or more");
      }
      if (repair.repairedAt() < 0) {
        wrong.add("repaired at " + repair.repairedAt() + ", allowed 0 or more");
      }
      if (!wrong.isEmpty()) {
        throw new IllegalArgumentException(String.join("; ", wrong));
      }
      return new SSTableWriterOptions(this);
    }
  }
}
