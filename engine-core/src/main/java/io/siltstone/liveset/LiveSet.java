package io.siltstone.liveset;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.event.EngineListener.RecoveryAssumed;
import io.siltstone.event.RecoveryReport;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.InDoubtException;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.spi.LiveTables;
import io.siltstone.spi.OutputHints;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableRewriter;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.statistics.Traffic;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live SSTables of one table's directory, and the only way to change which they are.
 *
 * <p>Readers {@linkplain #acquire() acquire} a {@link View} and release it, without a lock. A
 * flush, a claim, an import or a truncation is a transaction: it becomes visible at once, and after
 * a crash has happened wholly or not at all ({@link Transaction} tells how). SSTables are closed,
 * and the files of obsolete ones deleted, when no view and no claim has them any more.
 *
 * <p>Safe for all threads. Whoever opens it closes it, and sees to it that no other live set or
 * process has the directory open for writing.
 */
public final class LiveSet implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveSet.class);

  // How often a directory that another process changes is read again.
  private static final int ATTEMPTS = 10;

  private final Directory directory;
  private final LiveSetOptions options;
  private final RecoveryReport report;
  private final OutputFactory outputFactory;
  private final ObsoleteSSTables unused;
  private final TransactionIds ids = new TransactionIds();
  private final TrafficCounters trafficCounters = new TrafficCounters();

  private final CurrentView current;
  // Guarded by the lock of the current view.
  private final Claims claims = new Claims();
  private final FlushedPositionStore flushed;
  private final Truncation truncation;
  private final List<RecoveryAssumed> assumptions;

  private LiveSet(
      Directory directory,
      TableSchema schema,
      LiveSetOptions options,
      MemoryBudget budget,
      Recovery recovery,
      OpenedSSTables opened) {
    this.directory = directory;
    this.options = options;
    this.report = recovery.report(opened.setAside());
    this.outputFactory =
        new OutputFactory(directory, schema, options, budget, recovery.greatestGeneration());
    this.unused = new ObsoleteSSTables(directory.path(), options);
    this.assumptions = recovery.assumptions();
    this.current =
        new CurrentView(
            directory.path(), options, opened.tables().stream().map(this::track).toList());
    this.flushed = new FlushedPositionStore(directory, current, options.guard(), opened);
    this.truncation = new Truncation(this, current, flushed, outputFactory, options.isReadOnly());
  }

  /**
   * Opens a directory: completes or undoes what was interrupted, removes leftovers, and opens the
   * live SSTables. Read only, nothing is changed, and what is shown is the same.
   *
   * @param schema of the table, for what is written and imported
   * @param budget that writers take off-heap memory from
   * @throws CorruptSSTableException if an SSTable is damaged or a component of it is missing, its
   *     data file too, unless leniency was asked for
   * @throws CorruptFileException if a transaction log is damaged, or speaks of other files than are
   *     there
   * @throws IOException if an SSTable is of a version, format or partitioner that cannot be opened
   *     here, or of another table than the schema, unless leniency was asked for
   */
  public static LiveSet open(
      Directory directory, TableSchema schema, LiveSetOptions options, MemoryBudget budget)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        Recovery recovery = Recovery.read(directory, options.isLenient());
        if (!options.isReadOnly()) {
          recovery.clean();
          FlushedPositionStore.removeTemporary(directory);
        }
        OpenedSSTables opened =
            OpenedSSTables.open(directory, recovery.dataFiles(), schema, options);
        return new LiveSet(directory, schema, options, budget, recovery, opened);
      } catch (NoSuchFileException e) {
        if (!options.isReadOnly() || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /**
   * A generation for a table that is written without a live set: greater than that of all files,
   * and of all records of transactions, which may yet be undone. Changes nothing.
   *
   * @throws CorruptFileException as of {@link #open}
   */
  public static long nextGeneration(Directory directory) throws IOException {
    return Recovery.read(directory).greatestGeneration() + 1;
  }

  /**
   * The live SSTables now. To be released by the caller, exactly once.
   *
   * @throws IllegalStateException if the live set is closed
   */
  public View acquire() {
    return current.acquire();
  }

  /** What was found when it was opened. */
  public RecoveryReport report() {
    return report;
  }

  /** Up to where commit logs were flushed to this table. */
  public FlushedPositionStore flushed() {
    return flushed;
  }

  /** The truncation of this table. */
  public Truncation truncation() {
    return truncation;
  }

  /** What a lenient opening has assumed of damaged transaction logs. */
  public List<RecoveryAssumed> assumptions() {
    return assumptions;
  }

  /**
   * The least timestamp that an SSTable may have which was set aside, as nobody could open it: any.
   * It comes back when it is mended, and what was purged meanwhile would no longer delete its rows.
   * {@link Long#MAX_VALUE} if there is none.
   */
  long unseenMinTimestamp() {
    return report.setAside().isEmpty() ? Long.MAX_VALUE : Long.MIN_VALUE;
  }

  /** Where the files are. */
  public Directory directory() {
    return directory;
  }

  /** The present state, for those who choose what to compact. */
  public LiveTables live() {
    // Asked before the SSTables: what is flushed meanwhile counts twice rather than not at all.
    long memtableMinTimestamp = Math.min(unseenMinTimestamp(), options.memtables().minTimestamp());
    View view = acquire();
    try {
      Set<Descriptor> claimed;
      current.lock();
      try {
        claimed = claims.all();
      } finally {
        current.unlock();
      }
      return new LiveTables(
          view.byFirstKey().stream()
              .map(table -> CountedSSTable.describe(table, claimed.contains(table.descriptor())))
              .toList(),
          options.partitioner(),
          memtableMinTimestamp,
          trafficCounters.flushBytes());
    } finally {
      view.release();
    }
  }

  /**
   * Begins the flush of a memtable: outputs without inputs. The caller closes it, committed or not.
   *
   * @param intervals of the commit log that it has the changes of
   */
  public Claim beginFlush(CommitLogIntervals intervals) {
    if (current.isClosed()) {
      throw new IllegalStateException(this + " is closed");
    }
    return new Transaction(
        this,
        LiveSetChange.Cause.FLUSH,
        List.of(),
        new CommitLogCoverage(options.originatingHostId(), intervals));
  }

  /**
   * Takes SSTables, to be replaced by others. The caller closes the claim, committed or not.
   *
   * @param inputs not empty
   * @return all of them, or empty if any is not live any more or is part of another claim, or if
   *     changes are refused
   */
  public Optional<Claim> claim(Set<Descriptor> inputs) {
    if (inputs.isEmpty()) {
      throw new IllegalArgumentException("a claim without inputs");
    }
    current.lock();
    try {
      View view = current.open();
      if (current.refusesChanges()) {
        return Optional.empty();
      }
      List<CountedSSTable> taken = claims.claim(inputs, view);
      if (taken.isEmpty()) {
        return Optional.empty();
      }
      taken.forEach(CountedSSTable::retain);
      return Optional.of(begin(LiveSetChange.Cause.COMPACTION, taken));
    } finally {
      current.unlock();
    }
  }

  Transaction begin(LiveSetChange.Cause cause, List<CountedSSTable> inputs) {
    List<SSTable> tables = inputs.stream().map(input -> input.table).toList();
    return new Transaction(
        this, cause, inputs, CommitLogCoverage.ofMerge(tables, options.originatingHostId()));
  }

  /** Tells the observer of a change that it was not told of. To be called with no shard locked. */
  public void tell(LiveSetChange change) {
    observe(change);
  }

  /**
   * Takes in all live SSTables of another directory, under generations of this one, at once. Files
   * are linked where that is possible, else copied; the source stays as it is. Nothing is taken if
   * one SSTable is refused.
   *
   * @param level how thoroughly the files are checked for damage
   * @return what they are called here, in the order of their names there
   * @throws IllegalArgumentException if one does not fit: another partitioner, key or column; or is
   *     live here already, under this or another name; says which
   * @throws IOException likewise as in {@link #open}, and if damage was found
   */
  public List<Descriptor> importTables(Directory source, VerificationLevel level)
      throws IOException {
    try (Transaction transaction = begin(LiveSetChange.Cause.IMPORT, List.of())) {
      requireChangeable();
      List<Descriptor> imported =
          new SSTableImport(source, directory, options, outputFactory, level)
              .addTo(transaction, live().tables());
      transaction.commit();
      return imported;
    }
  }

  /**
   * Links the files of SSTables into another directory, or copies them to one of another volume,
   * durably, with the table's CQL and a manifest: it opens as a directory of its own, here and in
   * Cassandra. After a failure what was made is removed.
   *
   * @param view of this live set, which the caller has acquired and releases
   * @param target without files of the same names; the caller sees to it that its own name is
   *     durable
   * @param schemaCql for {@code schema.cql}
   * @param createdAt for the manifest
   * @param progress is told the bytes of each step of a copy
   */
  public void snapshot(
      View view, Directory target, String schemaCql, Instant createdAt, LongConsumer progress)
      throws IOException {
    new Snapshot(directory, target, progress).write(view.byFirstKey(), schemaCql, createdAt);
  }

  /** From now on outputs are written, and imports checked, by this schema. */
  public void alter(TableSchema altered) {
    outputFactory.alter(altered);
  }

  /**
   * Closes it, and the SSTables that nobody uses; each other one is closed when its last view or
   * claim is given back. Open claims can be closed, but not committed any more; what obsolete files
   * are left is deleted when the directory is opened again. A second call does nothing.
   */
  @Override
  public void close() {
    View view;
    current.lock();
    try {
      view = current.close();
    } finally {
      current.unlock();
    }
    unused.keepFiles();
    if (view != null) {
      view.retire();
    }
  }

  // What transactions need.

  FormatVersion version() {
    return options.version();
  }

  MemtableTimes memtables() {
    return options.memtables();
  }

  UUID nextId() {
    return ids.next();
  }

  boolean isCurrent(View view) {
    return current.isCurrent(view);
  }

  void observe(LiveSetChange change) {
    options.observer().changed(change);
  }

  void observeRefusal(InDoubtException cause) {
    options.observer().refusesChanges(cause);
  }

  /** Opens an output, to be shown by {@link #replace} or released. */
  CountedSSTable open(Descriptor descriptor) throws IOException {
    return track(OpenedSSTables.open(directory, descriptor, options));
  }

  private CountedSSTable track(SSTable table) {
    return new CountedSSTable(table, unused);
  }

  SSTableWriter newWriter(
      LiveSetChange.Cause cause, OutputHints hints, CommitLogCoverage commitLogCoverage)
      throws IOException {
    requireChangeable();
    return outputFactory.newWriter(cause, hints, commitLogCoverage);
  }

  SSTableRewriter newCopy(
      SSTable input, int level, PipelineExecutors executors, OutputVerification outputVerification)
      throws IOException {
    requireChangeable();
    return outputFactory.newCopy(input, level, executors, outputVerification);
  }

  /**
   * Fails if nothing can be changed.
   *
   * @throws IOException if changes are refused until it is opened again
   * @throws IllegalStateException if it is closed, or open for reading only
   */
  public void requireChangeable() throws IOException {
    current.lock();
    try {
      var unused = current.changeable();
    } finally {
      current.unlock();
    }
  }

  /**
   * Commits a log, and shows its outputs instead of its inputs.
   *
   * @throws InDoubtException if it cannot be known whether the log is committed; then all further
   *     changes are refused
   * @throws CancellationException if an input is not live any more
   */
  void replace(TransactionLog log, List<CountedSSTable> inputs, List<CountedSSTable> outputs)
      throws IOException {
    View before;
    current.lock();
    try {
      before = current.changeable();
      List<CountedSSTable> remaining = current.replaced(before, inputs, outputs);
      flushed.keep(inputs, remaining);
      View after = current.create(remaining);
      ObsoleteFiles obsoleteFiles = new ObsoleteFiles(directory, log, inputs.size());
      try {
        log.commit();
      } catch (Throwable e) {
        after.retire();
        throw e;
      }
      current.show(after);
      inputs.forEach(input -> input.makeObsolete(obsoleteFiles));
    } catch (InDoubtException e) {
      current.refuseChanges(e);
      throw e;
    } finally {
      current.unlock();
    }
    tidy(before, log, inputs.isEmpty());
  }

  /** What is left to do of a transaction that has happened: to fail here does not undo it. */
  private void tidy(View before, TransactionLog log, boolean isUnneeded) {
    try {
      before.retire();
      if (isUnneeded) {
        log.delete();
      }
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("{}/{} is removed when it is opened again", directory.path(), log, e);
    }
  }

  TrafficCounters movements() {
    return trafficCounters;
  }

  /** What flushes and compactions have moved since it was opened. */
  public Traffic traffic() {
    return trafficCounters.traffic();
  }

  /** Lets go of the inputs of a transaction that is closed. */
  void release(LiveSetChange.Cause cause, List<CountedSSTable> inputs) {
    @Nullable Runnable next = null;
    if (cause == LiveSetChange.Cause.COMPACTION) {
      current.lock();
      try {
        next = claims.remove(inputs.stream().map(input -> input.table.descriptor()).toList());
      } finally {
        current.unlock();
      }
    }
    inputs.forEach(CountedSSTable::release);
    if (next != null) {
      next.run();
    }
  }

  /**
   * Has something done when no claim is open any more: at once, or by the thread that closes the
   * last. Until then claims may write and remove files here.
   *
   * @param action throws nothing
   * @throws IllegalStateException if this is open, so that there may be further claims
   */
  public void whenUnclaimed(Runnable action) {
    current.lock();
    try {
      if (!current.isClosed()) {
        throw new IllegalStateException(directory.path() + " is open");
      }
      if (claims.keepUntilNone(action)) {
        return;
      }
    } finally {
      current.unlock();
    }
    action.run();
  }

  /** {@link Directory#path()}. */
  @Override
  public String toString() {
    return directory.path();
  }
}
