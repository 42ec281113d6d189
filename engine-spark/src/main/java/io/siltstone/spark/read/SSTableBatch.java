package io.siltstone.spark.read;

import io.siltstone.OfflineTable;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.rows.Split;
import io.siltstone.spark.table.SourceTable;
import io.siltstone.spark.token.TokenRanges;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.jspecify.annotations.Nullable;

/** Divides what a scan reads into parts for tasks, each with the SSTables that it needs. */
final class SSTableBatch implements Batch {
  /** The number of partitions that a task reads one by one. */
  private static final int KEYS_PER_TASK = 500;

  private final SourceTable table;
  private final ScanPlan plan;
  private final @Nullable List<PartitionKey> keys;
  private final Division division;

  /**
   * @param keys the partitions to be read, in order; null for all
   */
  SSTableBatch(
      SourceTable table, ScanPlan plan, @Nullable List<PartitionKey> keys, Division division) {
    this.table = table;
    this.plan = plan;
    this.keys = keys;
    this.division = division;
  }

  @Override
  public InputPartition[] planInputPartitions() {
    if (division.tokens().isEmpty()) {
      return new InputPartition[0];
    }
    try {
      List<InputPartition> partitions = keys == null ? ofSplits() : ofKeys(keys);
      return partitions.toArray(new InputPartition[0]);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private List<InputPartition> ofKeys(List<PartitionKey> all) {
    List<InputPartition> partitions = new ArrayList<>();
    List<ReadPart> parts = new ArrayList<>();
    for (PartitionKey key : all) {
      if (division.tokens().contains(key.token())) {
        parts.add(ReadPart.of(key));
        if (parts.size() == KEYS_PER_TASK) {
          add(partitions, parts);
          parts.clear();
        }
      }
    }
    if (!parts.isEmpty()) {
      add(partitions, parts);
    }
    return partitions;
  }

  private void add(List<InputPartition> partitions, List<ReadPart> parts) {
    SplitPartition partition = partition(parts);
    if (!partition.sstables().isEmpty()) {
      partitions.add(partition);
    }
  }

  private List<InputPartition> ofSplits() throws IOException {
    List<InputPartition> partitions = new ArrayList<>();
    if (table.sstables().isEmpty()) {
      return partitions;
    }
    PartitionRange tokens =
        PartitionRange.ofTokens(division.tokens().first(), division.tokens().last());
    for (Split split : splits()) {
      Split within = within(split, tokens);
      if (within == null) {
        continue;
      }
      if (division.ranges().isPresent()) {
        addRanges(partitions, within, division.ranges().get());
      } else {
        add(partitions, List.of(ReadPart.of(within)));
      }
    }
    return partitions;
  }

  /** Adds the parts of a split that are in different token ranges. */
  private void addRanges(List<InputPartition> partitions, Split split, TokenRanges ranges) {
    ReadPart whole = ReadPart.of(split);
    int last = ranges.of(whole.lastToken());
    for (int range = ranges.of(whole.firstToken()); range <= last; range++) {
      Split within =
          within(split, PartitionRange.ofTokens(ranges.first(range), ranges.last(range)));
      if (within != null) {
        SplitPartition partition = partition(List.of(ReadPart.of(within)));
        if (!partition.sstables().isEmpty()) {
          partitions.add(new RangePartition(partition, range));
        }
      }
    }
  }

  /** Returns the splits; the whole table, if an index is damaged that the task is to skip. */
  private List<Split> splits() throws IOException {
    try (OfflineTable open = table.open()) {
      return open.splits(division.splitBytes());
    } catch (IOException e) {
      if (!division.skipsDamage()) {
        throw new IOException(table.locate(String.valueOf(e.getMessage())), e);
      }
      return List.of(new Split(PartitionRange.ALL, List.of(), List.of(), 0));
    }
  }

  /** Returns the part of a split in a range of partitions; null if there is none. */
  private static @Nullable Split within(Split split, PartitionRange range) {
    PartitionKey from = later(split.partitions().from(), range.from());
    PartitionKey to = earlier(split.partitions().to(), range.to());
    if (from != null && to != null && from.compareTo(to) >= 0) {
      return null;
    }
    return split.isOfRows()
        ? split
        : new Split(new PartitionRange(from, to), List.of(), List.of(), split.bytes());
  }

  private static @Nullable PartitionKey later(
      @Nullable PartitionKey one, @Nullable PartitionKey other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.compareTo(other) >= 0 ? one : other;
  }

  private static @Nullable PartitionKey earlier(
      @Nullable PartitionKey one, @Nullable PartitionKey other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.compareTo(other) <= 0 ? one : other;
  }

  /** Returns what a task reads; without SSTables if none has rows for it. */
  private SplitPartition partition(List<ReadPart> parts) {
    long first = parts.get(0).firstToken();
    long last = parts.get(parts.size() - 1).lastToken();
    return new SplitPartition(List.copyOf(parts), table.between(first, last));
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new SplitReaderFactory(plan);
  }
}
