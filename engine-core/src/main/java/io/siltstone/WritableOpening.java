package io.siltstone;

import io.siltstone.catalog.Catalog;
import io.siltstone.catalog.CatalogContent;
import io.siltstone.catalog.TableHome;
import io.siltstone.catalog.TimestampMark;
import io.siltstone.catalog.UnchangedTables;
import io.siltstone.commitlog.segment.CommitLog;
import io.siltstone.commitlog.segment.CommitLogReplay;
import io.siltstone.commitlog.segment.CommitLogServices;
import io.siltstone.commitlog.segment.LogFiles;
import io.siltstone.commitlog.segment.ReplayedLog;
import io.siltstone.commitlog.segment.SegmentQuarantine;
import io.siltstone.event.EngineListener.RecoveryAssumed;
import io.siltstone.files.UnchangedDirectory;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.liveset.AtomicFlushes;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.sstable.format.Component;
import io.siltstone.table.AutomaticTimestamps;
import io.siltstone.table.Checkpoint;
import io.siltstone.table.CleanClose;
import io.siltstone.table.DatabaseLayout;
import io.siltstone.table.Flusher;
import io.siltstone.table.LogEvents;
import io.siltstone.table.LogReplay;
import io.siltstone.table.MutationWriter;
import io.siltstone.table.Services;
import io.siltstone.table.TableChanges;
import io.siltstone.table.TableStore;
import io.siltstone.table.TableStores;
import io.siltstone.table.Threads;
import io.siltstone.text.CountText;
import io.siltstone.threads.Closeables;
import io.siltstone.threads.ParallelSteps;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a database for writing, once its shared services exist: opens the tables, replays the
 * commit log into memtables, begins a new segment of the log, and flushes what was replayed. The
 * parts that it starts are closed before those that they need.
 *
 * <p>Used once, by one thread.
 */
final class WritableOpening {
  private static final Logger LOG = LoggerFactory.getLogger(WritableOpening.class);

  private static final String FILTER = "-" + Component.FILTER.fileName();
  private static final String SUMMARY = "-" + Component.SUMMARY.fileName();
  private static final String OFFSETS = "-" + Component.COMPRESSION_INFO.fileName();

  private final DatabaseLayout databaseLayout;
  private final DatabaseOptions options;
  private final Services services;
  private final Threads threads;
  private final Closeables closeables;
  private final OpeningMemory memory;
  private final TableChanges.Opener opener;
  private final TableStores stores;
  private final ParallelSteps parallel;
  // Whether the last flush has succeeded.
  private volatile boolean isFlushed;
  private volatile @Nullable Directory commitLog;
  // The record of the last clean close, if the log is as it was then.
  private volatile @Nullable CleanClose lastClose;

  /**
   * @param closeables takes over each part that is to be closed
   * @param opener opens a table
   * @param parallel runs the steps of several tables
   */
  WritableOpening(
      DatabaseLayout databaseLayout,
      DatabaseOptions options,
      Services services,
      Threads threads,
      Closeables closeables,
      TableStores stores,
      TableChanges.Opener opener,
      ParallelSteps parallel) {
    this.databaseLayout = databaseLayout;
    this.options = options;
    this.services = services;
    this.threads = threads;
    this.closeables = closeables;
    this.stores = stores;
    this.opener = opener;
    this.parallel = parallel;
    this.memory = new OpeningMemory(path(), services.budget(), options.commitLog().bufferBytes());
  }

  private String path() {
    return databaseLayout.root().path();
  }

  /** Returns the directory of the commit log, which is made durable once. */
  private Directory commitLog() throws IOException {
    Directory known = commitLog;
    if (known == null) {
      known = databaseLayout.commitLog();
      commitLog = known;
    }
    return known;
  }

  /** Opens the tables, replays the log, and continues it; all that was replayed is flushed. */
  WritePath run() throws IOException {
    Directory data = databaseLayout.data();
    // The names of tables that are as they were at a clean close are durable.
    Optional<CleanClose> close =
        options.isLenient()
            ? Optional.empty()
            : CleanClose.read(databaseLayout.root(), commitLog());
    lastClose = close.orElse(null);
    Catalog.Opened opened =
        Catalog.open(
            data,
            TableChanges.PREPARED,
            databaseLayout.definitions(options.isLenient()),
            close.isPresent() ? close.get() : UnchangedTables.NONE,
            parallel);
    CatalogContent content = opened.content();
    if (close.isEmpty() || !close.get().areUnchanged(content.tables())) {
      // Since the close, a process may have changed tables without a record in the log, and died.
      opened.catalog().syncNames(content.unchanged());
    }
    content.assumptions().forEach(this::report);
    openTables(content.tables());
    AutomaticTimestamps timestamps =
        new AutomaticTimestamps(databaseLayout.root(), services.clock(), readMark());
    stores.continueAfterDrops(timestamps);
    stores.continueAfterUnlogged(timestamps);
    if (close.isPresent() && close.get().isOf(content.tables(), stores.all(), services.hostId())) {
      timestamps.continueAfterSegment(close.get().clockMicros());
      timestamps.ended(true);
      return begin(opened.catalog(), ReplayedLog.ofFlushed(commitLog()), timestamps);
    }
    LogReplay replay = new LogReplay(services, stores.all(), timestamps);
    ReplayedLog replayed = replay(replay);
    quarantine(replay, replayed, content.dropped());
    timestamps.ended(replayed.damage().isEmpty());
    WritePath writePath = begin(opened.catalog(), replayed, timestamps);
    flushReplayed(writePath, replayed);
    if (replay.applied() > 0 || replayed.tornBytes() > 0) {
      LOG.info(
          "{}: {} changes came back from the commit log; {} bytes of a record that was not finished"
              + " were cut off",
          path(),
          replay.applied(),
          replayed.tornBytes());
    }
    return writePath;
  }

  private WritePath begin(Catalog catalog, ReplayedLog replayed, AutomaticTimestamps timestamps)
      throws IOException {
    timestamps.notifyOfNewerData(stores.all(), services.listener(), true);
    WritePath writePath = start(catalog, replayed, timestamps);
    timestamps.begin();
    closeables.add(() -> flushLast(writePath));
    closeables.add(writePath.flusher().share(() -> threads.pool(Threads.Purpose.CLEANER, 1)));
    return writePath;
  }

  private void openTables(List<TableHome> homes) throws IOException {
    Set<String> committed =
        AtomicFlushes.recover(
            databaseLayout.root(),
            options.isLenient() ? Optional.of(this::report) : Optional.empty());
    try {
      stores.open(
          fitting(homes).stream().map(home -> home.withCommitted(committed)).toList(),
          opener,
          parallel);
    } catch (OutOfBudgetException e) {
      throw memory.tablesRefused(e, homes);
    }
  }

  /**
   * Has all components opened at once where memory may not suffice for them: then the opening is
   * refused, and says what it needs, rather than later reads.
   */
  private List<TableHome> fitting(List<TableHome> homes) {
    long bytes = 0;
    for (TableHome home : homes) {
      UnchangedDirectory unchanged = home.unchanged();
      if (unchanged != null) {
        bytes += unchanged.listing().sum(WritableOpening::memoryOf);
      }
    }
    return bytes <= services.budget().available()
        ? homes
        : homes.stream().map(TableHome::opened).toList();
  }

  /** Returns an upper bound of the off-heap bytes that an open file takes, if it is a component. */
  private static long memoryOf(Directory.Entry file) {
    String name = file.name();
    int end = name.lastIndexOf('-');
    if (end < 0 || end + 1 == name.length()) {
      return 0;
    }
    return switch (name.charAt(end + 1)) {
      case 'F', 'C' -> name.endsWith(FILTER) || name.endsWith(OFFSETS) ? file.length() : 0;
      // A summary has tokens in memory that its file has not.
      case 'S' -> name.endsWith(SUMMARY) ? 2 * file.length() : 0;
      default -> 0;
    };
  }

  private void flushLast(WritePath writePath) throws IOException {
    // The caller of close must learn that what is in memory cannot reach the disk.
    services.health().requireGood();
    writePath.flushLast(stores.all(), path());
    isFlushed = true;
  }

  private @Nullable TimestampMark readMark() throws IOException {
    try {
      return TimestampMark.read(databaseLayout.root()).orElse(null);
    } catch (CorruptFileException e) {
      if (!options.isLenient()) {
        throw e;
      }
      report(
          new RecoveryAssumed(
              e.path(),
              "automatic timestamps continue after those of the commit log: " + e.reason()));
      return null;
    }
  }

  private ReplayedLog replay(LogReplay replay) throws IOException {
    CommitLogReplay.makeDurable(commitLog());
    try {
      ReplayedLog replayed =
          CommitLogReplay.replay(commitLog(), LogReplay.optionsOf(services), replay);
      replay.end(options.commitLog().bufferBytes());
      LogReplay.reportDamage(replayed, services);
      return replayed;
    } catch (OutOfBudgetException e) {
      throw memory.replayRefused(e, replay);
    }
  }

  /**
   * Quarantines segments before they are deleted, if they contain changes that were not replayed:
   * those of tables that do not exist, unless it is certain that these were dropped; those in
   * damaged parts of the log; and intact ones after the place where the log was torn.
   */
  private void quarantine(LogReplay replay, ReplayedLog replayed, Set<UUID> dropped)
      throws IOException {
    SortedSet<String> names = new TreeSet<>();
    List<String> reasons = new ArrayList<>();
    replay
        .leftOut()
        .forEach(
            (table, leftOut) -> {
              if (!dropped.contains(table)) {
                leftOut.segments().forEach(id -> names.add(LogFiles.fileName(id)));
                reasons.add(
                    CountText.of(leftOut.changes(), "change")
                        + " of a table with the id "
                        + table
                        + ", which is not there");
              }
            });
    for (CorruptFileException damage : replayed.damage()) {
      String name = fileOfLog(damage);
      // The damage may be that the segment is missing.
      if (commitLog().exists(name)) {
        names.add(name);
      }
      reasons.add("what is damaged: " + damage.getMessage());
    }
    for (CorruptFileException place : replayed.cutOff()) {
      names.add(fileOfLog(place));
      reasons.add("intact records that are cut off as they were not synced: " + place.getMessage());
    }
    if (!names.isEmpty()) {
      Directory aside = databaseLayout.commitLogAside();
      SegmentQuarantine.keep(commitLog(), aside, names);
      report(
          new RecoveryAssumed(
              aside.path(),
              "segments of the commit log are kept here, as not all of them were replayed: "
                  + String.join(", ", names)
                  + " with "
                  + String.join("; ", reasons)));
    } else if (!reasons.isEmpty()) {
      report(
          new RecoveryAssumed(
              commitLog().path(),
              "the commit log is replayed without what is missing: " + String.join("; ", reasons)));
    }
  }

  private String fileOfLog(CorruptFileException place) throws IOException {
    return place.path().substring(commitLog().path().length() + 1);
  }

  private void report(RecoveryAssumed event) {
    LOG.warn("{}: {}", event.path(), event.assumption());
    services.listener().recoveryAssumed(event);
  }

  /** Notes that the log, which is closed now, has nothing to be replayed. */
  private void noteCleanClose() throws IOException {
    if (isFlushed && services.health().isGood()) {
      // Files that are deleted later would be missing from what is noted.
      Threads.drained(services.background().cleaner()).close();
      CleanClose.write(databaseLayout.root(), commitLog(), stores.all(), lastClose, services);
    }
  }

  private WritePath start(Catalog catalog, ReplayedLog replayed, AutomaticTimestamps timestamps)
      throws IOException {
    LogEvents events = new LogEvents(services.health());
    CommitLog log = openLog(replayed, events);
    ExecutorService flushes = threads.pool(Threads.Purpose.FLUSH, options.flushThreads());
    closeables.add(Threads.ending(flushes));
    AtomicFlushes atomic = new AtomicFlushes(databaseLayout.root(), services.guard());
    Flusher flusher = new Flusher(services, log, atomic, flushes, stores::all);
    TableChanges tables = new TableChanges(services, catalog, log, timestamps, stores);
    stores.all().forEach(tables::begin);
    events.begin(flusher);
    MutationWriter writer = new MutationWriter(services, log, flusher, timestamps, stores::of);
    Checkpoint checkpoint = new Checkpoint(services, log, commitLog(), flusher);
    return new WritePath(log, flusher, writer, tables, checkpoint, timestamps);
  }

  private CommitLog openLog(ReplayedLog replayed, LogEvents events) throws IOException {
    ExecutorService callbacks = threads.pool(Threads.Purpose.CALLBACKS, 1);
    closeables.add(Threads.ending(callbacks));
    ExecutorService logEvents = threads.pool(Threads.Purpose.LOG_EVENTS, 1);
    closeables.add(Threads.ending(logEvents));
    CommitLogServices logServices =
        new CommitLogServices(
            services.hostId(),
            services.budget(),
            threads.workers(Threads.Purpose.COMMIT_LOG),
            services.clock()::reached,
            callbacks,
            logEvents,
            events,
            services.guard());
    closeables.add(this::noteCleanClose);
    try {
      return closeables.add(
          CommitLog.open(
              commitLog(), options.commitLog(), logServices, replayed, stores.greatestSegment()));
    } catch (OutOfBudgetException e) {
      throw memory.logRefused(e);
    }
  }

  /** Flushes what was replayed, so that the segments that contain it are deleted. */
  private void flushReplayed(WritePath writePath, ReplayedLog replayed) throws IOException {
    writePath.flusher().flushAll(stores.all());
    replayed.tables().forEach(table -> writePath.log().discard(table, replayed.end()));
    for (TableStore store : stores.all()) {
      store.liveSet().flushed().mend(services.hostId(), replayed.end());
    }
  }
}
