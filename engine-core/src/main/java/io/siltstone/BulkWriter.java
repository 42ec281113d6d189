package io.siltstone;

import io.siltstone.annotation.Expert;
import io.siltstone.bulk.BulkLoad;
import io.siltstone.clock.WriteClock;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.mutation.Mutation;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.mutation.MutationFactory;
import io.siltstone.mutation.UpdateWriter;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.table.Handles;
import io.siltstone.table.KeyValueForm;
import io.siltstone.table.ValueChange;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A bulk writer: makes SSTables of rows that come in any order, and adds them to a table of an open
 * database, to a {@link KeyValueStore} or to a directory, all at once. Nothing goes through the
 * commit log, the memtable or a compaction, so that much data is loaded several times faster than
 * by writes.
 *
 * <pre>{@code
 * try (BulkWriter writer = BulkWriter.into(table).open()) {
 *   for (Reading each : readings) {
 *     writer.add(writer.mutation(each.sensor()).insert(each.time()).set("value", each.value()).build());
 *   }
 *   writer.commit();
 * }
 * }</pre>
 *
 * <p><b>Sorting.</b> Rows are sorted in memory of at most {@link Builder#memoryBytes}. What does
 * not fit goes to temporary files in the directory of the table, which are as large as the rows
 * together. {@link #commit} merges them into SSTables. A row that is added several times is
 * reconciled as by writes, and so are deletions of every kind, TTLs, static columns and
 * collections.
 *
 * <p><b>Timestamps</b> decide between what is loaded and what the table has, as everywhere. Changes
 * with timestamps of their own keep them: older ones do not displace newer data. A change without
 * one has that of the moment when it was added to its mutation or, of an entry, to this writer; so
 * it displaces what was written before that moment, and is displaced by what is written later, even
 * if that is before the commit. {@link Builder#behind} makes such changes older than all that the
 * table has.
 *
 * <p><b>All or nothing.</b> Readers see nothing before the commit, and all of it afterwards; after
 * a crash all SSTables are there or none. A writer that is closed without a commit, or has failed,
 * leaves nothing. What a killed process has left is removed when the database is opened again, or
 * the next load into the directory begins. A table that is truncated while {@link #commit} is
 * writing refuses the commit.
 *
 * <p>Not safe for use by several threads at the same time. The caller closes the writer; closing
 * the database closes it, too. After an {@link IOException} it can only be closed, while an {@link
 * IllegalArgumentException} refuses one change and no more.
 */
public final class BulkWriter implements Closeable {
  private final BulkDestination destination;
  private final BulkLoad load;
  private final @Nullable UpdateWriter entries;
  private final PartitionUpdate view;
  private final Handles.@Nullable Lease lease;
  private State state = State.OPEN;

  private enum State {
    OPEN("open"),
    COMMITTED("committed"),
    FAILED("has failed before and can only be closed"),
    CLOSED("closed");

    private final String text;

    State(String text) {
      this.text = text;
    }
  }

  BulkWriter(BulkDestination destination, BulkLoad load) {
    this.destination = destination;
    this.load = load;
    TableSchema schema = destination.mutations().schema();
    RowEncoding encoding = destination.mutations().encoding();
    this.entries =
        KeyValueForm.violation(schema, destination.partitioner()) == null
            ? new UpdateWriter(encoding, destination.partitioner())
            : null;
    this.view = new PartitionUpdate(encoding);
    Engine engine = destination.engine();
    this.lease = engine == null ? null : engine.handles.lend("a ", this.toString(), this, load);
  }

  /** Begins a writer into a table of an open database, with the database's format version. */
  public static Builder into(Table table) {
    return new Builder(Objects.requireNonNull(table, "table"), null, null);
  }

  /** Begins a writer into a store of byte arrays. */
  public static Builder into(KeyValueStore store) {
    return into(store.table());
  }

  /**
   * Begins a writer into a directory of the default file system, which is created if it is missing.
   * Otherwise as {@link #into(Directory, TableSchema)}.
   */
  public static Builder into(Path directory, TableSchema schema) throws IOException {
    return into(NioDirectory.open(directory), schema);
  }

  /**
   * Begins a writer into the directory of a table that no database has open. It may contain
   * SSTables of the table already. The directory is locked until the writer is closed. A {@code
   * schema.cql} is written beside the SSTables if there is none.
   *
   * @param schema the table's definition; its options say how the files are written
   */
  public static Builder into(Directory directory, TableSchema schema) {
    Objects.requireNonNull(schema, "schema");
    return new Builder(null, Objects.requireNonNull(directory, "directory"), schema);
  }

  /**
   * Begins a mutation of one partition, to be {@linkplain #add added}. Its automatic timestamp is
   * taken with its first change.
   *
   * @param key a value for each column of the partition key, in the order of the columns
   * @throws IllegalArgumentException if the number of values is wrong, or if a value does not fit
   *     its column's type
   */
  public MutationBuilder mutation(@Nullable Object @Nullable ... key) {
    requireOpen();
    return destination.mutations().mutation(key);
  }

  /**
   * Adds a mutation, built by {@link #mutation} or by the table. Mutations may come in any order.
   * May write to temporary files.
   *
   * @throws IllegalArgumentException if the mutation belongs to another table or changes a column
   *     that the table did not have when this writer was opened
   * @throws IllegalStateException if this writer is committed or closed, has failed, or if the
   *     database was closed or the table dropped
   * @throws IOException if a temporary file could not be written, for example because the disk is
   *     full
   */
  public void add(Mutation mutation) throws IOException {
    requireOpen();
    Mutation own = destination.mutations().adapt(Objects.requireNonNull(mutation, "mutation"));
    if (destination.isBehind() && own.hasAutomaticTimestamp()) {
      own = own.withTimestamp(destination.clock().nextTimestampMicros());
    }
    MutationFactory.wrap(own, view);
    addUpdate(view);
  }

  /**
   * Adds a change in its serialized form, which is copied. Otherwise as {@link #add(Mutation)}.
   *
   * @param update in the encoding of this writer, see {@link Builder#encoding}
   */
  @Expert
  @SuppressWarnings("exports")
  public void add(PartitionUpdate update) throws IOException {
    requireOpen();
    if (!update.encoding().isSameAs(destination.mutations().encoding())) {
      throw new IllegalArgumentException(
          "a change of " + update.key() + " in another encoding than that of the " + this);
    }
    addUpdate(update);
  }

  private void addUpdate(PartitionUpdate update) throws IOException {
    Engine engine = destination.engine();
    if (engine == null) {
      addInside(update);
      return;
    }
    engine.gate.enter();
    try {
      addInside(update);
    } finally {
      engine.gate.leave();
    }
  }

  private void addInside(PartitionUpdate update) throws IOException {
    State before = state;
    state = State.FAILED;
    try {
      load.add(update);
      state = before;
    } catch (IllegalArgumentException e) {
      state = before;
      throw e;
    }
  }

  /**
   * Adds an entry of a key-value table, which expires after the {@code default_time_to_live} of the
   * table, if that is set. Of two entries of a key the later one wins. Otherwise as {@link #add}.
   *
   * @throws IllegalArgumentException if the key is empty or too long
   * @throws IllegalStateException also if the table does not have the form of a {@link
   *     KeyValueStore}
   */
  public void put(byte[] key, byte[] value) throws IOException {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    write(ValueChange.put(key, value));
  }

  /**
   * Adds an entry that expires. Otherwise as {@link #put(byte[], byte[])}.
   *
   * @param ttlSeconds seconds from now until it expires; 0 for never, at most 20 years
   */
  public void put(byte[] key, byte[] value, int ttlSeconds) throws IOException {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    write(ValueChange.put(key, value, ttlSeconds));
  }

  /** Adds the deletion of an entry of a key-value table. Otherwise as {@link #put}. */
  public void delete(byte[] key) throws IOException {
    Objects.requireNonNull(key, "key");
    write(ValueChange.deletion(key));
  }

  private void write(ValueChange change) throws IOException {
    requireOpen();
    UpdateWriter update = entries;
    if (update == null) {
      throw new IllegalStateException(
          this
              + " takes no entries: "
              + KeyValueForm.violation(schema(), destination.partitioner()));
    }
    WriteClock clock = destination.clock();
    change.encode(
        update, clock.nextTimestampMicros(), schema().options().defaultTimeToLive(), clock);
    addUpdate(update.update());
  }

  /** Returns the table's definition when this writer was opened. */
  public TableSchema schema() {
    return destination.mutations().schema();
  }

  /**
   * Writes all that was added to SSTables, and adds these to the table or directory. On return all
   * is durable and visible. Closing the database meanwhile ends this early.
   *
   * @return what was written; nothing if nothing was added
   * @throws IllegalArgumentException if the table was altered, and the rows do not fit any more
   * @throws IllegalStateException if this writer is committed or closed, has failed, or if the
   *     database was closed, or the table dropped or truncated meanwhile
   * @throws IOException if a file could not be written; nothing was added then, unless it is an
   *     {@link io.siltstone.io.InDoubtException}
   */
  public Result commit() throws IOException {
    requireOpen();
    state = State.FAILED;
    Engine engine = destination.engine();
    BulkLoad.Outcome outcome = engine == null ? load.commit() : engine.inside(load::commit);
    state = State.COMMITTED;
    return new Result(
        outcome.sstables(),
        outcome.partitions(),
        outcome.rows(),
        outcome.dataBytes(),
        outcome.onDiskBytes(),
        outcome.runs(),
        outcome.passes());
  }

  /**
   * The result of a commit: what was written.
   *
   * @param sstables names of the SSTables, in the order of their partitions
   * @param partitions number of partitions
   * @param rows number of rows, without static rows
   * @param dataBytes size of the data before compression
   * @param onDiskBytes size of the data files
   * @param runs number of temporary files that the sort wrote; 0 if all rows fitted in memory
   * @param passes number of times that they were merged
   */
  public record Result(
      List<Descriptor> sstables,
      long partitions,
      long rows,
      long dataBytes,
      long onDiskBytes,
      int runs,
      int passes) {}

  private void requireOpen() {
    if (state != State.OPEN) {
      throw new IllegalStateException(this + (state == State.FAILED ? " " : " is ") + state.text);
    }
  }

  /**
   * Removes temporary files and, without a commit, all that was written. A second call does
   * nothing.
   *
   * @throws IOException if a file could not be removed, which is repeated when the database is
   *     opened again or the next load into the directory begins; a commit that was made stays
   */
  @Override
  public void close() throws IOException {
    state = State.CLOSED;
    if (lease != null) {
      lease.end();
    }
    load.close();
  }

  /** Returns the table or directory, for messages. */
  @Override
  public String toString() {
    return "bulk writer of " + destination.name();
  }

  /** Builds a writer. Not safe for use by several threads. */
  public static final class Builder {
    /** The default of {@link #memoryBytes}. */
    public static final long DEFAULT_MEMORY_BYTES = 64L << 20;

    final @Nullable Table table;
    final @Nullable Directory directory;
    final @Nullable TableSchema schema;
    long memoryBytes = DEFAULT_MEMORY_BYTES;
    long maxSSTableBytes = Long.MAX_VALUE;
    List<Long> tokens = List.of();
    @Nullable FormatVersion version;
    @Nullable CompressionOptions compression;
    @Nullable Partitioner partitioner;
    @Nullable RowEncoding encoding;
    OutputVerification verification = OutputVerification.STRUCTURE;
    LongConsumer progress = rows -> {};
    boolean isBehind;
    boolean isLaterRows;

    private Builder(
        @Nullable Table table, @Nullable Directory directory, @Nullable TableSchema schema) {
      this.table = table;
      this.directory = directory;
      this.schema = schema;
    }

    /**
     * Sets the memory for the rows that are sorted at a time, on the heap, in bytes: 8 KiB to 1
     * TiB, 64 MiB by default. Range deletions take up to a quarter more, and a row that is larger
     * takes what it needs.
     */
    public Builder memoryBytes(long value) {
      memoryBytes = value;
      return this;
    }

    /**
     * Sets the size of data before compression, in bytes, from which on the next partition begins
     * another SSTable: 1 or more; by default there is no limit. A partition is never divided.
     */
    public Builder maxSSTableBytes(long value) {
      maxSSTableBytes = value;
      return this;
    }

    /**
     * Sets tokens at which the output is divided: after each of them another SSTable begins. So
     * each SSTable belongs to one of the token ranges between them, as of the nodes of a cluster or
     * of the readers of {@link Table#splits}. None by default.
     *
     * @param ends the last token of each range, in any order
     */
    public Builder divideAt(Collection<Long> ends) {
      tokens = List.copyOf(ends);
      return this;
    }

    /**
     * Sets the format version of the SSTables, one that can be written. By default it is that of
     * the database; of a directory that of its SSTables, {@code oa} if there are none.
     */
    public Builder version(FormatVersion value) {
      version = Objects.requireNonNull(value, "version");
      return this;
    }

    /** Sets compressor and chunk length of the SSTables; by default those of the table. */
    public Builder compression(CompressionOptions value) {
      compression = Objects.requireNonNull(value, "compression");
      return this;
    }

    /**
     * Sets the partitioner of a directory. By default it is that of its SSTables, {@link
     * Partitioner#MURMUR3} if there are none. A database has one already, and allows no other.
     */
    public Builder partitioner(Partitioner value) {
      partitioner = Objects.requireNonNull(value, "partitioner");
      return this;
    }

    /**
     * Sets how thoroughly the SSTables are verified before they count; {@link
     * OutputVerification#STRUCTURE} by default.
     */
    public Builder outputVerification(OutputVerification value) {
      verification = Objects.requireNonNull(value, "outputVerification");
      return this;
    }

    /**
     * Makes all changes without timestamps of their own older than what the table has now, its
     * deletions included: what exists stays, and the load only adds what is missing. (RocksDB calls
     * this {@code ingest_behind}.) For a table of an open database. A row that was deleted so long
     * ago that compaction has purged the deletion is there again.
     */
    public Builder behind() {
      isBehind = true;
      return this;
    }

    /**
     * Lets the later one of several rows of a primary key win, column by column, whatever their
     * timestamps: for input whose rows all have the same timestamp. A collection that is given
     * replaces the earlier one. Such a writer takes no deletions of rows, ranges or partitions.
     */
    public Builder laterRowsWin() {
      isLaterRows = true;
      return this;
    }

    /**
     * Sets what is called from time to time, on the thread of the writer, with the number of rows
     * that have been written to SSTables: 0 while rows are sorted. An exception that it throws ends
     * the work; then the writer can only be closed.
     */
    public Builder progress(LongConsumer value) {
      progress = Objects.requireNonNull(value, "progress");
      return this;
    }

    /**
     * Sets the encoding of mutations for a directory: the table's columns, and the bases of its
     * timestamps.
     */
    @Expert
    @SuppressWarnings("exports")
    public Builder encoding(RowEncoding value) {
      encoding = Objects.requireNonNull(value, "encoding");
      return this;
    }

    /**
     * Opens the writer.
     *
     * @return the writer, to be closed by the caller
     * @throws IllegalArgumentException naming each option that is wrong, its value and what is
     *     allowed; also if the table has counters, or the directory is that of another table
     * @throws IllegalStateException if the database is closed or open for reading only, or the
     *     table was dropped; with {@link #behind}, if the table has timestamps that leave no lesser
     *     ones
     * @throws IOException if the directory is a database or is locked by another process, or if an
     *     SSTable in it is damaged or does not fit; the message names the file
     */
    public BulkWriter open() throws IOException {
      return new BulkOpening(this).open();
    }
  }
}
