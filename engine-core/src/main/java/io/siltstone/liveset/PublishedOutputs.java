package io.siltstone.liveset;

import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.io.Directory;
import io.siltstone.io.InDoubtException;
import io.siltstone.spi.LiveSetChange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of a transaction that have their names but are not live: the transaction log lists
 * them, and they are open. Either they become live, or they are {@linkplain #undo removed}.
 *
 * <p>Confined to one thread at a time, which {@linkplain #release releases} them.
 */
final class PublishedOutputs {
  private final LiveSet owner;
  private final TransactionLog log;
  private final LiveSetChange change;
  private final List<Output> outputs;
  private final @Nullable KeyRangeDeletions keyRanges;
  private final List<CountedSSTable> opened = new ArrayList<>();

  private PublishedOutputs(
      LiveSet owner,
      TransactionLog log,
      LiveSetChange change,
      List<Output> outputs,
      @Nullable KeyRangeDeletions keyRanges) {
    this.keyRanges = keyRanges;
    this.owner = owner;
    this.log = log;
    this.change = change;
    this.outputs = List.copyOf(outputs);
  }

  /**
   * Names finished outputs and opens them. If that fails, they and the log are removed.
   *
   * @param log lists the outputs, durably
   * @param change that the transaction is
   * @param keyRanges deletions of ranges of keys that become visible with it; null for none
   */
  static PublishedOutputs publish(
      LiveSet owner,
      TransactionLog log,
      LiveSetChange change,
      List<Output> outputs,
      @Nullable KeyRangeDeletions keyRanges)
      throws IOException {
    PublishedOutputs published = new PublishedOutputs(owner, log, change, outputs, keyRanges);
    try {
      published.publish();
    } catch (InDoubtException e) {
      // Both outcomes must remain possible: neither outputs nor log may be touched.
      published.release();
      throw e;
    } catch (Throwable e) {
      published.undo(e);
      published.release();
      throw e;
    }
    return published;
  }

  private void publish() throws IOException {
    for (Output output : outputs) {
      output.publish();
    }
    owner.directory().sync();
    for (Output output : outputs) {
      CountedSSTable countedSSTable = owner.open(output.descriptor());
      countedSSTable.retain();
      opened.add(countedSSTable);
    }
  }

  LiveSet owner() {
    return owner;
  }

  TransactionLog log() {
    return log;
  }

  LiveSetChange change() {
    return change;
  }

  /** Returns the deletions of ranges of keys that become visible with them; null for none. */
  @Nullable KeyRangeDeletions keyRanges() {
    return keyRanges;
  }

  /** Returns the open SSTables. */
  List<CountedSSTable> opened() {
    return opened;
  }

  long onDiskBytes() {
    return opened.stream().mapToLong(output -> output.table.onDiskLength()).sum();
  }

  /** Removes the outputs, then the log, which stays if an output could not be removed. */
  void undo(Throwable failure) {
    try {
      undo();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Removes as {@link #undo(Throwable)}. */
  void undo() throws IOException {
    Directory directory = owner.directory();
    for (Output output : outputs) {
      SSTableComponents.delete(directory, SSTableComponents.prefix(output.descriptor()));
    }
    directory.sync();
    log.delete();
    directory.sync();
  }

  /** Releases the SSTables and the log's file; those that are live stay open. */
  void release() {
    opened.forEach(CountedSSTable::release);
    log.release();
  }
}
