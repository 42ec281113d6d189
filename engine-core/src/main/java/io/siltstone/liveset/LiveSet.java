package io.siltstone.liveset;

import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.event.EngineListener.RecoveryAssumed;
import io.siltstone.event.RecoveryReport;
import io.siltstone.files.UnchangedDirectory;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.InDoubtException;
import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.statistics.Traffic;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live SSTables of one table's directory. All changes of which SSTables are live go through it.
 *
 * <p>Readers {@linkplain #acquire() acquire} a {@link View} and release it, without a lock. A
 * flush, a claim, an import and a {@linkplain Truncation truncation} are transactions: each becomes
 * visible at once, and after a crash has happened completely or not at all ({@link Transaction}
 * explains how). When no view and no claim has an SSTable any more, it is closed and, if it is
 * obsolete, its files are deleted.
 *
 * <p>Safe for all threads. Closed by its opener, who ensures that no other live set or process has
 * the directory open for writing.
 */
public final class LiveSet implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveSet.class);

  private final Directory directory;
  private final LiveSetOptions options;
  private final OutputFactory outputFactory;
  private final ObsoleteSSTables unused;
  private final TransactionIds ids = new TransactionIds();
  private final TrafficCounters trafficCounters = new TrafficCounters();

  private final CurrentView current;
  // Guarded by the lock of the current view.
  private final Claims claims;
  private final FlushedPositionStore flushed;
  private final Truncation truncation;
  private final Imports imports;
  private final RetentionFloorStore retention;
  private final KeyRangeDeletionStore keyRanges;
  private final List<RecoveryAssumed> assumptions;
  private volatile RecoveryReport report;

  private LiveSet(
      Directory directory,
      TableSchema schema,
      LiveSetOptions options,
      MemoryBudget budget,
      ObsoleteSSTables unused,
      OpenedSSTables opened) {
    Recovery recovery = opened.recovery();
    this.directory = directory;
    this.options = options;
    this.report = recovery.report(opened.quarantined());
    this.outputFactory =
        new OutputFactory(
            directory, schema, options, budget, recovery.greatestGeneration(), this::acquire);
    this.unused = unused;
    this.assumptions = recovery.assumptions();
    KeyRangeFile deleted = opened.keyRanges();
    this.current =
        new CurrentView(
            directory.path(), options, opened.tables(), opened.floor(), deleted.deletions());
    this.claims = new Claims(current);
    this.keyRanges =
        new KeyRangeDeletionStore(directory, current, deleted, opened.damagedKeyRanges());
    this.retention = new RetentionFloorStore(directory, current, opened.damagedFloor());
    this.flushed = new FlushedPositionStore(directory, current, options.guard(), opened);
    this.truncation =
        new Truncation(this, current, flushed, keyRanges, outputFactory, options.isReadOnly());
    this.imports = new Imports(this, options, outputFactory, current, claims);
  }

  /**
   * Opens a directory: completes or undoes interrupted transactions, removes leftovers, and opens
   * the live SSTables. A read-only live set changes nothing, but shows the same.
   *
   * @param schema of the table, for SSTables that are written or imported
   * @param budget from which writers take off-heap memory
   * @throws CorruptSSTableException if an SSTable is damaged or a component of it is missing, even
   *     its data file, unless the options are lenient
   * @throws CorruptFileException if a transaction log is damaged, or describes other files than are
   *     there
   * @throws IOException if an SSTable has a version, format or partitioner that cannot be opened
   *     here, or does not fit the schema, unless the options are lenient
   */
  public static LiveSet open(
      Directory directory, TableSchema schema, LiveSetOptions options, MemoryBudget budget)
      throws IOException {
    return open(directory, schema, options, budget, null, null);
  }

  /**
   * Opens a directory as {@code open} without these two, for a {@link #refresh}.
   *
   * @param shared open SSTables of the directory, held by the caller meanwhile, which are not
   *     opened again; null for none
   * @param unchanged the directory, if it was {@linkplain Recovery#isSettled settled} and has not
   *     changed since; otherwise null
   */
  public static LiveSet open(
      Directory directory,
      TableSchema schema,
      LiveSetOptions options,
      MemoryBudget budget,
      @Nullable View shared,
      @Nullable UnchangedDirectory unchanged)
      throws IOException {
    ObsoleteSSTables unused = new ObsoleteSSTables(directory.path(), options);
    OpenedSSTables opened =
        OpenedSSTables.open(directory, schema, options, unused, shared, unchanged);
    return new LiveSet(directory, schema, options, budget, unused, opened);
  }

  /** Shows what a newer live set of the directory shows; both are read only. */
  public void refresh(LiveSet newer) {
    current.showOnly(newer.current.open());
    report = newer.report;
  }

  /**
   * Returns a generation for an SSTable that is written without a live set: greater than those of
   * all files, and of all records of transactions, which may yet be undone. Changes nothing.
   *
   * @throws CorruptFileException as {@link #open}
   */
  public static long nextGeneration(Directory directory) throws IOException {
    return Recovery.read(directory).greatestGeneration() + 1;
  }

  /**
   * Returns the live SSTables now. To be released by the caller, exactly once.
   *
   * @throws IllegalStateException if the live set is closed
   */
  public View acquire() {
    return current.acquire();
  }

  /** Returns what chooses the compression dictionary of new SSTables. */
  public DictionaryChoice dictionaries() {
    return outputFactory.dictionaries();
  }

  /** Returns what was found at the opening, or at the last refresh. */
  public RecoveryReport report() {
    return report;
  }

  /** Returns up to where commit logs were flushed to this table. */
  public FlushedPositionStore flushed() {
    return flushed;
  }

  /** Returns the operation that removes all SSTables. */
  public Truncation truncation() {
    return truncation;
  }

  /** Returns what keeps the retention floor. */
  public RetentionFloorStore retention() {
    return retention;
  }

  /** Returns what keeps deletions of ranges of keys. */
  public KeyRangeDeletionStore keyRanges() {
    return keyRanges;
  }

  /** Returns what a lenient opening has assumed about damaged transaction logs. */
  public List<RecoveryAssumed> assumptions() {
    return assumptions;
  }

  /**
   * Returns a lower bound of the timestamps in quarantined SSTables: the least of all timestamps if
   * there are any, since their content is unknown and comes back when they are repaired. A purged
   * tombstone would then no longer delete their rows. {@link Long#MAX_VALUE} if there are none.
   */
  long unseenMinTimestamp() {
    return report.quarantined().isEmpty() ? Long.MAX_VALUE : Long.MIN_VALUE;
  }

  /** Returns the directory of the SSTables. */
  public Directory directory() {
    return directory;
  }

  /** Describes the live SSTables, for the choice of what to compact. */
  public LiveTables live() {
    // Memtables first: what is flushed in between is counted twice rather than not at all.
    long least = leastElsewhere();
    View view = acquire();
    try {
      return new LiveTables(
          CountedSSTable.describe(view, claims.all()),
          options.partitioner(),
          least,
          trafficCounters.flushBytes());
    } finally {
      view.release();
    }
  }

  /** Returns a lower bound of the timestamps in memtables and in SSTables that are quarantined. */
  long leastElsewhere() {
    return Math.min(unseenMinTimestamp(), options.memtables().minTimestamp());
  }

  /** Begins the flush of a memtable that deletes no ranges of keys. */
  public Claim beginFlush(CommitLogIntervals intervals) {
    return beginFlush(intervals, null, null);
  }

  /**
   * Begins the flush of a memtable: a transaction with outputs and no inputs. The caller closes it,
   * committed or not.
   *
   * @param intervals of the commit log whose changes the memtable contains
   * @param ranges of keys that the memtable deletes; null for none
   */
  public Claim beginFlush(CommitLogIntervals intervals, @Nullable KeyRangeDeletions ranges) {
    return beginFlush(intervals, ranges, null);
  }

  /** Begins a flush whose commit hands over what it has published; null for none. */
  Claim beginFlush(
      CommitLogIntervals intervals,
      @Nullable KeyRangeDeletions ranges,
      @Nullable Consumer<PublishedOutputs> whole) {
    if (current.isClosed()) {
      throw new IllegalStateException(this + " is closed");
    }
    return new Transaction(
        this,
        LiveSetChange.Cause.FLUSH,
        List.of(),
        new CommitLogCoverage(options.originatingHostId(), intervals),
        ranges,
        whole);
  }

  /** Prepares to show SSTables that an atomic flush has written. To be closed by the caller. */
  Addition add(List<CountedSSTable> added, @Nullable KeyRangeDeletions ranges) throws IOException {
    return Addition.begin(current, keyRanges, added, ranges);
  }

  /**
   * Claims SSTables, to replace them by others. The caller closes the claim, committed or not.
   *
   * @param inputs not empty
   * @return the claim of all of them; empty if one is not live any more or is part of another
   *     claim, or if changes are refused
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
        this,
        cause,
        inputs,
        CommitLogCoverage.ofMerge(tables, options.originatingHostId()),
        null,
        null);
  }

  /** Notifies the observer of a change; to be called without locks of shards. */
  public void notifyObserver(LiveSetChange change) {
    options.observer().changed(change);
  }

  /**
   * Imports all live SSTables of another directory at once, under generations of this one. Files
   * are linked where that is possible, otherwise copied; the source does not change. If one SSTable
   * is refused, none is imported.
   *
   * @param level how thoroughly the files are checked for damage
   * @param replaces whether it also removes all SSTables, and deletions of ranges of keys, here
   * @return their descriptors here, in the order of their names in the source
   * @throws IllegalArgumentException if an SSTable does not fit, since it has another partitioner,
   *     key or column, or if it is live here already, under this or another name; the message names
   *     it
   * @throws IOException as {@link #open}, and if damage was found
   */
  public List<Descriptor> importTables(Directory source, VerificationLevel level, boolean replaces)
      throws IOException {
    return imports.importTables(source, level, replaces);
  }

  /**
   * Begins a bulk load, whose outputs are checked as those of an import are. A drop of the table
   * leaves its directory until the claim is closed.
   *
   * @return the claim, to be closed by the caller; not to be committed while the table is altered
   *     or truncated, and refused after a truncation
   */
  public Claim beginLoad() throws IOException {
    requireChangeable();
    return imports.begin();
  }

  Imports imports() {
    return imports;
  }

  /** Sets the schema by which outputs are written and imports are checked from now on. */
  public void alter(TableSchema altered) {
    outputFactory.alter(altered);
  }

  /**
   * Closes the live set, and all SSTables that are not in use; others are closed with their last
   * view or claim. Claims can be closed, but no longer committed. Obsolete files that are left are
   * deleted when the directory is opened again. A second call does nothing.
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

  void observeRefusal(InDoubtException cause) {
    options.observer().refusesChanges(cause);
  }

  /** Opens an output, which is then shown by {@link #replace} or released. */
  CountedSSTable open(Descriptor descriptor) throws IOException {
    return new CountedSSTable(OpenedSSTables.open(directory, descriptor, options), unused);
  }

  /** Returns the factory of outputs, of a {@linkplain #requireChangeable changeable} live set. */
  OutputFactory outputs() {
    return outputFactory;
  }

  /**
   * Checks that changes are possible.
   *
   * @throws IOException if changes are refused until the live set is opened again
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
   * Commits a transaction log, and replaces its inputs by its outputs in the current view.
   *
   * @throws InDoubtException if it is unknown whether the log is committed; then all further
   *     changes are refused
   * @throws CancellationException if an input is not live any more
   */
  void replace(
      TransactionLog log,
      List<CountedSSTable> inputs,
      List<CountedSSTable> outputs,
      @Nullable KeyRangeDeletions ranges,
      boolean replacesAll)
      throws IOException {
    View before;
    current.lock();
    try {
      before = current.changeable();
      List<CountedSSTable> remaining = current.replaced(before, inputs, outputs);
      flushed.keep(inputs, remaining);
      View after = keyRanges.prepare(remaining, inputs, outputs, ranges, replacesAll);
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

  /** Finishes a transaction that has happened: a failure does not undo it. */
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

  /** Returns how many bytes flushes and compactions have read and written since the opening. */
  public Traffic traffic() {
    return trafficCounters.traffic();
  }

  /** Releases the inputs of a transaction that is closed. */
  void release(LiveSetChange.Cause cause, List<CountedSSTable> inputs) {
    claims.release(cause, inputs);
  }

  /**
   * Runs an action when no claim, which may change files, is open any more: at once, or on the
   * thread that closes the last claim.
   *
   * @param action throws nothing
   * @throws IllegalStateException if the live set is open: there may be further claims
   */
  public void whenUnclaimed(Runnable action) {
    claims.whenNone(action);
  }

  /** Returns {@link Directory#path()}. */
  @Override
  public String toString() {
    return directory.path();
  }
}
