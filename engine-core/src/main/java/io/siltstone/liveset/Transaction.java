package io.siltstone.liveset;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.compress.CompressionDictionary;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.cursor.RetentionFloor;
import io.siltstone.io.Directory;
import io.siltstone.io.InDoubtException;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.spi.Claim;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.spi.OutputHints;
import io.siltstone.spi.OverlapView;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableRewriter;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.threads.Closeables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of a live set: replaces some SSTables by others, atomically and durably. The steps
 * that may fail come first, in this order:
 *
 * <ol>
 *   <li>the outputs are completed and synced under temporary names,
 *   <li>the {@link TransactionLog} is written and synced,
 *   <li>the outputs get their names, and the directory is synced,
 *   <li>the outputs are opened,
 *   <li>the log gets its last line and is synced: now the transaction has happened,
 *   <li>the live set shows the outputs instead of the inputs,
 *   <li>when the inputs are not read any more, their files are deleted, then the log.
 * </ol>
 *
 * <p>A crash before step 5 leaves temporary names and a log by which {@link Recovery} removes the
 * outputs; a crash after it leaves a log by which {@link Recovery} removes the inputs.
 *
 * <p>Safe for all threads.
 */
final class Transaction implements Claim {
  private final LiveSet owner;
  private final LiveSetChange.Cause cause;
  private final CommitLogCoverage commitLogCoverage;
  private final List<CountedSSTable> inputs;
  private final List<SSTable> inputTables;
  private final List<Output> outputs = new ArrayList<>();
  private final List<Overlaps> overlaps = new ArrayList<>();
  private final @Nullable Consumer<PublishedOutputs> whole;
  private final @Nullable KeyRangeDeletions flushed;
  private @Nullable KeyRangeDeletions applied;
  private long gcBefore;
  private State state = State.OPEN;
  private @Nullable TransactionLog prepared;
  private boolean isDictionaryChosen;
  private @Nullable CompressionDictionary dictionary;

  private enum State {
    OPEN,
    COMMITTED,
    FAILED,
    CLOSED
  }

  /**
   * @param inputs with a reference each, which the transaction releases
   * @param commitLogCoverage of the outputs
   * @param flushed deletions of ranges of keys that become visible with the outputs; null for none
   * @param whole takes the outputs over instead of the commit, if this is a part of an atomic flush
   */
  Transaction(
      LiveSet owner,
      LiveSetChange.Cause cause,
      List<CountedSSTable> inputs,
      CommitLogCoverage commitLogCoverage,
      @Nullable KeyRangeDeletions flushed,
      @Nullable Consumer<PublishedOutputs> whole) {
    this.owner = owner;
    this.flushed = flushed;
    this.whole = whole;
    this.cause = cause;
    this.commitLogCoverage = commitLogCoverage;
    this.inputs = List.copyOf(inputs);
    this.inputTables = inputs.stream().map(input -> input.table).toList();
  }

  @Override
  public List<SSTable> inputs() {
    return inputTables;
  }

  @Override
  public @Nullable RetentionFloor retentionFloor() {
    return owner.retention().present();
  }

  @Override
  public @Nullable KeyRangeDeletions keyRanges() {
    return owner.keyRanges().present();
  }

  @Override
  public synchronized void leftOut(KeyRangeDeletions deletions, long before) {
    requireOpen();
    applied = deletions;
    gcBefore = before;
  }

  @Override
  public synchronized OverlapView overlaps() {
    requireOpen();
    Overlaps view = new Overlaps(owner, inputTables);
    overlaps.add(view);
    return view;
  }

  @Override
  public synchronized SSTableWriter newOutput(OutputHints hints) throws IOException {
    requireOpen();
    owner.requireChangeable();
    SSTableWriter writer =
        owner.outputs().newWriter(cause, hints, commitLogCoverage, this::dictionary);
    outputs.add(new WrittenOutput(writer));
    return writer;
  }

  @Override
  public synchronized SSTableRewriter newCopy(
      SSTable input, int level, PipelineExecutors executors, OutputVerification outputVerification)
      throws IOException {
    requireOpen();
    owner.requireChangeable();
    SSTableRewriter rewriter =
        owner.outputs().newCopy(input, level, executors, outputVerification, this::dictionary);
    outputs.add(new RewrittenOutput(rewriter));
    return rewriter;
  }

  /** Returns the compression dictionary of all outputs; it is chosen for the first of them. */
  private @Nullable CompressionDictionary dictionary(CompressionOptions compression) {
    if (!isDictionaryChosen) {
      dictionary = owner.dictionaries().choose(compression, inputTables);
      isDictionaryChosen = true;
    }
    return dictionary;
  }

  synchronized void add(Output output) {
    requireOpen();
    outputs.add(output);
  }

  private void requireOpen() {
    if (state != State.OPEN) {
      throw new IllegalStateException(
          "this " + name() + " is " + state.name().toLowerCase(Locale.ROOT));
    }
  }

  private String name() {
    return cause.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void commit(long onDiskBytesRead) throws IOException {
    try {
      LiveSetChange change = apply(onDiskBytesRead);
      if (whole == null) {
        owner.notifyObserver(change);
      }
    } catch (InDoubtException e) {
      owner.observeRefusal(e);
      throw e;
    }
  }

  /**
   * Writes the log of a transaction that has no outputs, so that little can still fail when it is
   * {@linkplain #apply applied}. If the transaction is closed before, the log is removed.
   */
  synchronized void prepare() throws IOException {
    requireOpen();
    if (!inputs.isEmpty()) {
      TransactionLog log = beginLog();
      prepared = log;
      log.prepareCommit();
    }
  }

  private TransactionLog beginLog() throws IOException {
    return TransactionLog.begin(
        owner.directory(), owner.version(), operation(), owner.nextId(), records());
  }

  /** Commits as {@link #commit()}, without notifying the observer. */
  LiveSetChange apply() throws IOException {
    return apply(inputTables.stream().mapToLong(SSTable::onDiskLength).sum());
  }

  private synchronized LiveSetChange apply(long onDiskBytesRead) throws IOException {
    requireOpen();
    state = State.FAILED;
    owner.requireChangeable();
    finishOutputs();
    LiveSetChange change =
        new LiveSetChange(
            cause,
            outputs.stream().map(Output::descriptor).toList(),
            inputTables.stream().map(SSTable::descriptor).toList());
    if (!outputs.isEmpty() || !inputs.isEmpty()) {
      replace(change, onDiskBytesRead);
    }
    state = State.COMMITTED;
    return change;
  }

  private void finishOutputs() throws IOException {
    List<Output> empty = outputs.stream().filter(Output::isEmpty).toList();
    for (Output output : empty) {
      output.close();
      outputs.remove(output);
    }
    for (Output output : outputs) {
      output.finish();
    }
  }

  private void replace(LiveSetChange change, long onDiskBytesRead) throws IOException {
    TransactionLog log = prepared != null ? prepared : beginLog();
    prepared = null;
    PublishedOutputs published = PublishedOutputs.publish(owner, log, change, outputs, flushed);
    if (whole != null) {
      whole.accept(published);
      return;
    }
    try {
      if (cause == LiveSetChange.Cause.IMPORT) {
        published.opened().forEach(output -> owner.imports().check(output.table));
      }
      owner.replace(log, inputs, published.opened(), flushed, replacesAll());
    } catch (InDoubtException e) {
      // Both outcomes must remain possible: neither outputs nor log may be touched.
      throw e;
    } catch (Throwable e) {
      if (!log.isCommitted()) {
        published.undo(e);
      }
      throw e;
    } finally {
      published.release();
    }
    if (replacesAll()) {
      owner.keyRanges().replaced();
    }
    purge(published.opened());
    owner.movements().add(cause, onDiskBytesRead, published.onDiskBytes());
  }

  /** Returns whether it is an import that replaces all that is there, which are its inputs then. */
  private boolean replacesAll() {
    return cause == LiveSetChange.Cause.IMPORT && !inputs.isEmpty();
  }

  /** Purges deletions of ranges of keys. The transaction has happened: a failure undoes nothing. */
  private void purge(List<CountedSSTable> opened) {
    KeyRangeDeletions by = applied;
    if (by != null) {
      // Memtables are asked before the SSTables: what is flushed in between is seen at least once.
      long least = owner.leastElsewhere();
      try {
        owner.keyRanges().purge(by, opened, gcBefore, least);
      } catch (InDoubtException e) {
        owner.observeRefusal(e);
      }
    }
  }

  /** Returns the name of the operation in Cassandra, which refuses to read logs of others. */
  private String operation() {
    return switch (cause) {
      case FLUSH -> "flush";
      case COMPACTION -> "compaction";
      case OPEN, ALTER, RETENTION, IMPORT, TRUNCATE, DROP -> "write";
    };
  }

  private List<TransactionLogRecord> records() throws IOException {
    Directory directory = owner.directory();
    // Records of inputs come first: a log that has lost its end must not name outputs only, since
    // these are deleted if the transaction seems not to have happened.
    List<TransactionLogRecord> records = new ArrayList<>();
    List<String> names = inputs.isEmpty() ? List.of() : directory.files();
    for (SSTable input : inputTables) {
      List<String> files =
          SSTableComponents.of(SSTableComponents.prefix(input.descriptor()), names);
      records.add(
          new TransactionLogRecord(
              TransactionLogRecord.Type.REMOVE,
              path(input.descriptor()),
              SSTableComponents.lastModified(directory, files, false),
              files.size()));
    }
    for (Output output : outputs) {
      records.add(
          new TransactionLogRecord(TransactionLogRecord.Type.ADD, path(output.descriptor()), 0, 0));
    }
    return records;
  }

  private String path(Descriptor descriptor) {
    return TransactionLogRecord.path(
        owner.directory().path(), SSTableComponents.prefix(descriptor));
  }

  @Override
  public synchronized void close() throws IOException {
    if (state == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    overlaps.forEach(Overlaps::release);
    try {
      Closeables.closeAll(outputs);
      TransactionLog left = prepared;
      if (left != null) {
        left.delete();
        owner.directory().sync();
      }
    } finally {
      // Released last: once there are no more claims, nothing may be written any more.
      owner.release(cause, inputs);
    }
  }
}
