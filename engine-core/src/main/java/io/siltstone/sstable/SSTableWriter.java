package io.siltstone.sstable;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnwritableException;
import io.siltstone.io.Directory;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.RepairState;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes one SSTable from partitions in order.
 *
 * <pre>
 *   try (SSTableWriter writer = SSTableWriter.create(...)) {
 *     while (cursor.nextPartition()) {
 *       writer.add(cursor);
 *     }
 *     writer.commit();
 *   }
 * </pre>
 *
 * Files have temporary names until {@link #commit()}, which syncs and renames them, the data file
 * last: an SSTable exists if and only if its data file does. {@link #close()} without a commit
 * removes the files. To make several SSTables appear at once by means of a transaction log,
 * {@linkplain #createPart create parts} and call {@link #finish()} and {@link #publish()} instead.
 *
 * <p><b>What becomes of a partition.</b> Suppose that a merge adds partition {@code k} with the
 * rows {@code 1} and {@code 2}.
 *
 * <ol>
 *   <li>{@link #startPartition} checks that {@code k} follows the key before it, and writes key and
 *       deletion to the data file.
 *   <li>{@link #add(Unfiltered)} walks the cells of row {@code 1} for the statistics. Bytes in the
 *       encoding of this SSTable are copied; others are transcoded. The same follows for row {@code
 *       2}, into which the size of row {@code 1} is written.
 *   <li>The bytes are gathered in batches of 256 KiB. Each batch is compressed, chunk by chunk,
 *       parsed by the {@code OutputVerifier}, and written, here or in a helping thread, while the
 *       next batch is filled.
 *   <li>Every {@code column_index_size} bytes an index block ends. If {@code k} has two or more
 *       blocks, its index entry contains them; {@link #endPartition} adds the entry, in the BIG
 *       format every 128th key to the summary, and the key to the bloom filter.
 *   <li>{@link #finish} completes data and index, writes filter, statistics, digest and table of
 *       contents, syncs them, and compares all of them with what was added.
 *   <li>{@link #commit} or {@link #publish} gives the files their names.
 * </ol>
 *
 * <p>Heap memory does not grow with the size of a partition, and nothing is allocated per row or
 * cell. Confined to one thread. The caller that creates a writer closes it.
 */
public final class SSTableWriter implements Closeable {
  private final Directory directory;
  private final Descriptor descriptor;
  private final OutputFiles files;
  private final boolean isPart;
  private final MemoryBudget budget;
  private final OutputVerification verification;
  private RepairState repair;

  // Null once finished, to free memory: a compaction may have thousands of finished outputs that
  // are committed together.
  private @Nullable ComponentWriters components;

  private final PartitionKey key = new PartitionKey();
  private long partitions;
  private long rows;
  private long markers;
  private boolean inPartition;
  private long deletionTimestamp;
  private long deletionLocalTime;
  private long dataLength;
  private long onDiskLength;
  private long keysHash;
  private boolean failed;
  private boolean finished;
  private boolean committed;
  private boolean closed;

  private SSTableWriter(
      Directory directory,
      Descriptor descriptor,
      SerializationHeader header,
      Partitioner partitioner,
      SSTableWriterOptions options,
      MemoryBudget budget,
      boolean isPart,
      OutputSeam seam)
      throws IOException {
    this.isPart = isPart;
    this.directory = directory;
    this.descriptor = descriptor;
    this.repair = options.repair();
    Set<Component> written = descriptor.version().components();
    written.remove(options.compression().isEnabled() ? Component.CRC : Component.COMPRESSION_INFO);
    if (options.bloomFilterFpChance() >= 1) {
      written.remove(Component.FILTER);
    }
    this.files = new OutputFiles(directory, descriptor, written);
    this.components =
        new ComponentWriters(
            directory, descriptor, header, partitioner, options, files, budget, seam);
    this.budget = budget;
    this.verification = options.outputVerification();
  }

  /**
   * Creates a writer of an SSTable.
   *
   * @param directory the directory of its files
   * @param descriptor the version and generation in their names; no such file may exist
   * @param header types, columns and delta bases of the rows to be written
   * @param partitioner that orders the partitions
   * @param budget the budget for off-heap memory
   * @throws IllegalArgumentException if the version is one that is only read
   */
  public static SSTableWriter create(
      Directory directory,
      Descriptor descriptor,
      SerializationHeader header,
      Partitioner partitioner,
      SSTableWriterOptions options,
      MemoryBudget budget)
      throws IOException {
    return create(
        directory, descriptor, header, partitioner, options, budget, false, OutputSeam.NONE);
  }

  /**
   * Creates a writer of an SSTable that is published together with others: it cannot be committed
   * by itself, but is {@linkplain #finish() finished} and {@linkplain #publish() published}.
   * Otherwise as {@link #create}.
   */
  public static SSTableWriter createPart(
      Directory directory,
      Descriptor descriptor,
      SerializationHeader header,
      Partitioner partitioner,
      SSTableWriterOptions options,
      MemoryBudget budget)
      throws IOException {
    return create(
        directory, descriptor, header, partitioner, options, budget, true, OutputSeam.NONE);
  }

  /** Creates a writer as the public methods do, with a seam for tests that put defects in. */
  static SSTableWriter create(
      Directory directory,
      Descriptor descriptor,
      SerializationHeader header,
      Partitioner partitioner,
      SSTableWriterOptions options,
      MemoryBudget budget,
      boolean isPart,
      OutputSeam seam)
      throws IOException {
    if (!descriptor.version().isWritable()) {
      throw new IllegalArgumentException(
          "tables of version " + descriptor.version().text() + " are read, not written");
    }
    if (directory.exists(descriptor.fileName(Component.DATA))) {
      throw new FileAlreadyExistsException(
          directory.path() + "/" + descriptor.fileName(Component.DATA));
    }
    return new SSTableWriter(
        directory, descriptor, header, partitioner, options, budget, isPart, seam);
  }

  /** Adds the whole current partition of a cursor. Its key must follow the one added before. */
  public void add(PartitionCursor partition) throws IOException {
    startPartition(partition.key(), partition.deletionTimestamp(), partition.deletionLocalTime());
    while (partition.nextUnfiltered()) {
      add(partition.unfiltered());
    }
    endPartition();
  }

  /**
   * Begins a partition.
   *
   * @param timestamp of its deletion, with the local deletion time; {@link
   *     DeletionTime#NO_TIMESTAMP} without
   * @throws IllegalArgumentException if the key does not follow that of the partition before, or is
   *     longer than {@link PartitionKey#MAX_LENGTH}
   * @throws UnwritableException if the version cannot hold that deletion
   */
  public void startPartition(PartitionKey next, long timestamp, long localDeletionTime)
      throws IOException {
    ComponentWriters writers = open();
    if (inPartition) {
      throw new IllegalStateException(this + ": " + key + " has not ended");
    }
    if (partitions > 0 && next.compareTo(key) <= 0) {
      throw new IllegalArgumentException(
          this + ": " + next + " follows " + key + ", partitions must come in order");
    }
    if (next.length() > PartitionKey.MAX_LENGTH) {
      throw new IllegalArgumentException(
          this + ": a key of " + next.length() + " bytes, allowed 0 to " + PartitionKey.MAX_LENGTH);
    }
    if (!DeletionTime.isLive(timestamp)
        && localDeletionTime != DeletionTime.INVALID_DELETION_TIME
        && localDeletionTime > descriptor.version().maxLocalDeletionTime()) {
      throw new UnwritableException(
          this
              + ": local deletion time "
              + localDeletionTime
              + " of "
              + next
              + " cannot be written in version "
              + descriptor.version().text()
              + ", the latest it holds is "
              + descriptor.version().maxLocalDeletionTime());
    }
    key.copyFrom(next);
    deletionTimestamp = timestamp;
    deletionLocalTime = localDeletionTime;
    failed = true;
    writers.startPartition(key, timestamp, localDeletionTime);
    failed = false;
    inPartition = true;
  }

  /**
   * Adds a row or marker whose body has been read, in clustering order; the static row first.
   * Consumes its iteration over the columns. After an exception of this or any later step the
   * writer can only be closed.
   */
  public void add(Unfiltered unfiltered) throws IOException {
    ComponentWriters writers = inPartition();
    failed = true;
    writers.add(unfiltered);
    if (unfiltered.isMarker()) {
      markers++;
    } else if (!unfiltered.isStatic() || !unfiltered.isEmpty()) {
      rows++;
    }
    failed = false;
  }

  /** Ends the partition. */
  public void endPartition() throws IOException {
    ComponentWriters writers = inPartition();
    failed = true;
    writers.endPartition(key, deletionTimestamp, deletionLocalTime);
    partitions++;
    failed = false;
    inPartition = false;
  }

  /** Returns the version and generation with which the names of its files begin. */
  public Descriptor descriptor() {
    return descriptor;
  }

  /** Returns the number of partitions written. */
  public long partitions() {
    return partitions;
  }

  /** Returns the number of rows written, including static rows that are not empty. */
  public long rows() {
    return rows;
  }

  /** Returns the number of range-tombstone markers written. */
  public long markers() {
    return markers;
  }

  /**
   * Returns the sum of the {@link PartitionKey#longHash} of the keys of all partitions, computed
   * from the written bytes, once the SSTable is {@linkplain #finish() finished}; 0 before.
   */
  public long keysHash() {
    return keysHash;
  }

  /** Returns the number of uncompressed bytes written. */
  public long dataLength() {
    return components == null ? dataLength : components.dataLength();
  }

  /** Returns the length of the data file so far. */
  public long onDiskLength() {
    return components == null ? onDiskLength : components.onDiskLength();
  }

  /**
   * Completes the SSTable: on return it is verified and durable, and its files have their final
   * names.
   *
   * @throws OutputVerificationException if the files cannot be read or differ from the input; the
   *     files then keep their temporary names, and {@link #close()} removes them
   * @throws IllegalStateException if no partition was written, as there are no empty SSTables; or
   *     if it is a {@linkplain #createPart part}
   */
  public void commit() throws IOException {
    if (isPart) {
      throw new IllegalStateException(this + " is committed with others, not by itself");
    }
    finish();
    failed = true;
    files.renameAllButData();
    // All components that the data file needs must have their names durably before the data file
    // has.
    directory.sync();
    files.renameData();
    directory.sync();
    failed = false;
    committed = true;
  }

  /**
   * Marks the SSTable as not repaired, whatever the options say, because rows that were repaired
   * are missing in it. Must be called before {@link #finish}. As Cassandra's {@code
   * SortedTableScrubber} does.
   */
  public void markUnrepaired() {
    open();
    repair = repair.withoutTime();
  }

  /**
   * Writes all remaining bytes, makes the content of all files durable under their temporary names,
   * closes files, frees memory, and verifies the output ({@link OutputVerification}). A second call
   * does nothing.
   *
   * @throws OutputVerificationException if the files cannot be read or differ from the input
   * @throws IllegalStateException if no partition was written, as there are no empty SSTables
   */
  public void finish() throws IOException {
    if (finished && !committed && !failed && !closed) {
      return;
    }
    ComponentWriters writers = open();
    if (inPartition || partitions == 0) {
      throw new IllegalStateException(
          this + (inPartition ? ": a partition has not ended" : ": there are no empty tables"));
    }
    failed = true;
    writers.finish(repair, partitions, rows, markers);
    keysHash = writers.keysHash();
    finished = true;
    release();
    if (verification == OutputVerification.FULL) {
      ReadBack.verify(directory, descriptor, files, budget);
    }
    failed = false;
  }

  /**
   * Gives the files of a finished SSTable their final names, the data file last. The names are not
   * durable before the directory is synced. On return the files belong to the caller, and {@link
   * #close()} leaves them alone; after a failure it still removes them.
   *
   * @throws IllegalStateException if the SSTable is not {@linkplain #finish() finished}
   */
  public void publish() throws IOException {
    if (!finished || committed || failed || closed) {
      throw new IllegalStateException(this + " is not finished, or is published or closed");
    }
    failed = true;
    files.renameAllButData();
    files.renameData();
    failed = false;
    committed = true;
  }

  private ComponentWriters open() {
    ComponentWriters writers = components;
    if (writers == null || closed || committed || failed) {
      throw new IllegalStateException(this + state());
    }
    return writers;
  }

  private String state() {
    if (committed) {
      return " is committed";
    }
    if (closed) {
      return " is closed";
    }
    return failed ? " has failed before, and can only be closed" : " is finished";
  }

  private ComponentWriters inPartition() {
    ComponentWriters writers = open();
    if (!inPartition) {
      throw new IllegalStateException(this + ": no partition has been started");
    }
    return writers;
  }

  /** Returns the full path of the data file. */
  @Override
  public String toString() {
    return directory.path() + "/" + descriptor.fileName(Component.DATA);
  }

  /** Releases memory and files; removes the files if they were not committed. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      release();
    } finally {
      if (!committed) {
        files.remove();
      }
    }
  }

  private void release() throws IOException {
    ComponentWriters writers = components;
    if (writers != null) {
      dataLength = writers.dataLength();
      onDiskLength = writers.onDiskLength();
      components = null;
      writers.close();
    }
  }
}
