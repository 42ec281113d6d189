package io.siltstone.liveset;

import io.siltstone.io.Directory;
import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableVerifier;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds the live SSTables of another directory to a transaction: checks that each fits the table, is
 * undamaged, and is not in the table already, under this or another name, and gives it a name here.
 * No SSTable is added before all have passed all checks.
 *
 * <p>Used once, by one thread.
 */
final class SSTableImport {
  private final Directory source;
  private final Directory target;
  private final LiveSetOptions options;
  private final OutputFactory outputs;
  private final VerificationLevel level;

  /**
   * @param level how thoroughly the files are checked for damage
   */
  SSTableImport(
      Directory source,
      Directory target,
      LiveSetOptions options,
      OutputFactory outputs,
      VerificationLevel level) {
    this.source = source;
    this.target = target;
    this.options = options;
    this.outputs = outputs;
    this.level = level;
  }

  /**
   * Maps the identity of each SSTable's data file to the SSTable, where the directory knows it.
   *
   * @param tables in use by the caller: files of others may be deleted meanwhile
   */
  static Map<Object, Descriptor> byIdentity(Directory directory, List<SSTable> tables)
      throws IOException {
    Map<Object, Descriptor> files = new HashMap<>();
    for (SSTable table : tables) {
      Object identity = directory.identity(table.descriptor().fileName(Component.DATA));
      if (identity != null) {
        files.put(identity, table.descriptor());
      }
    }
    return files;
  }

  /**
   * Adds the SSTables to a transaction, without committing it.
   *
   * @param present the SSTables of the target by the identity of their data file, from {@link
   *     #byIdentity}
   * @param retention has the floor of the target, which that of the source must not exceed
   * @return their descriptors in the target, in the order of their names in the source
   * @throws IllegalArgumentException if one does not fit or is live here already; the message names
   *     it
   * @throws io.siltstone.sstable.format.CorruptSSTableException if one is damaged; names the file
   */
  List<Descriptor> addTo(
      Transaction transaction, Map<Object, Descriptor> present, RetentionFloorStore retention)
      throws IOException {
    List<String> names = Recovery.read(source).dataFiles();
    retention.requireNotBelow(source, outputs.schema());
    KeyRangeDeletionStore.requireNone(source, names);
    for (String name : names) {
      try (SSTable table = open(name)) {
        requireAbsent(name, present);
        TableCheck.check(table, outputs.schema(), options.partitioner());
      }
    }
    // This may take long, so it comes after the checks that are quick.
    for (String name : names) {
      try (SSTable table = open(name)) {
        new SSTableVerifier(table).verify(level);
      }
    }
    List<Descriptor> imported = new ArrayList<>();
    for (String name : names) {
      try (SSTable table = open(name)) {
        options.observer().importing(table);
        Descriptor to = Descriptor.of(table.descriptor().version(), outputs.nextGeneration());
        transaction.add(new ImportedOutput(table, target, to));
        imported.add(to);
      }
    }
    return imported;
  }

  private SSTable open(String name) throws IOException {
    return options.opener().open(source, Descriptor.parse(source, name));
  }

  private void requireAbsent(String name, Map<Object, Descriptor> present) throws IOException {
    Descriptor same = present.get(source.identity(name));
    if (same != null) {
      throw new IllegalArgumentException(
          source.path()
              + "/"
              + name
              + " is of the table already, as "
              + target.path()
              + "/"
              + same.fileName(Component.DATA));
    }
  }
}
