package io.siltstone.liveset;

import io.siltstone.io.Directory;
import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The imports of a live set: transactions that add SSTables which neither a flush nor a compaction
 * has made, whether they are taken from another directory or written by a bulk load.
 *
 * <p>Safe for all threads.
 */
final class Imports {
  private final LiveSet owner;
  private final LiveSetOptions options;
  private final OutputFactory outputs;
  private final CurrentView current;
  private final Claims claims;

  /**
   * @param claims guarded by the lock of the view
   */
  Imports(
      LiveSet owner,
      LiveSetOptions options,
      OutputFactory outputs,
      CurrentView current,
      Claims claims) {
    this.owner = owner;
    this.options = options;
    this.outputs = outputs;
    this.current = current;
    this.claims = claims;
  }

  /** Imports SSTables; see {@link LiveSet#importTables}. */
  List<Descriptor> importTables(Directory source, VerificationLevel level, boolean replaces)
      throws IOException {
    try (Transaction transaction = replaces ? beginReplacing() : begin()) {
      owner.requireChangeable();
      List<Descriptor> imported =
          new SSTableImport(source, owner.directory(), options, outputs, level)
              .addTo(transaction, byIdentity(), owner.retention());
      transaction.commit();
      return imported;
    }
  }

  private Map<Object, Descriptor> byIdentity() throws IOException {
    View view = owner.acquire();
    try {
      return SSTableImport.byIdentity(owner.directory(), view.newestFirst());
    } finally {
      view.release();
    }
  }

  /** Begins a transaction without inputs, which counts as a claim until it is closed. */
  Transaction begin() {
    current.lock();
    try {
      var unused = current.open();
      claims.beginLoad();
    } finally {
      current.unlock();
    }
    return owner.begin(LiveSetChange.Cause.IMPORT, List.of());
  }

  /**
   * Begins a transaction as {@link #begin}, whose inputs are all live SSTables.
   *
   * @throws IllegalStateException if one of them is claimed
   */
  private Transaction beginReplacing() {
    List<CountedSSTable> inputs;
    current.lock();
    try {
      View view = current.open();
      Set<Descriptor> live = new HashSet<>();
      view.tracked().forEach(counted -> live.add(counted.table.descriptor()));
      inputs = claims.claim(live, view);
      if (inputs.size() < live.size()) {
        throw new IllegalStateException(owner + " has SSTables that a compaction works on");
      }
      inputs.forEach(CountedSSTable::retain);
      claims.beginLoad();
    } finally {
      current.unlock();
    }
    return owner.begin(LiveSetChange.Cause.IMPORT, inputs);
  }

  /**
   * Checks an output that is to be imported and is open already, and reports it to the observer.
   *
   * @throws IllegalArgumentException if it does not fit the table as it is now
   * @throws IllegalStateException if the table was truncated since the output was begun: a replay
   *     of the log would take the output for one that was truncated
   */
  void check(SSTable table) {
    TableCheck.check(table, outputs.schema(), options.partitioner());
    long generation = SSTableComponents.generation(table.descriptor().fileName(Component.DATA));
    current.lock();
    try {
      if (generation < current.droppedBelow()) {
        throw new IllegalStateException(
            owner + " was truncated after the load had begun to write, so nothing is added to it");
      }
    } finally {
      current.unlock();
    }
    options.observer().importing(table);
  }
}
