package io.siltstone.liveset;

import io.siltstone.io.Directory;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes the live SSTables of another directory into a transaction: checks that each fits the table
 * and is not of it already, under this or another name, and gives it a name here.
 *
 * <p>Used once, by one thread.
 */
final class TableImport {
  private final Directory source;
  private final Directory target;
  private final LiveSetOptions options;
  private final OutputFactory outputs;

  TableImport(Directory source, Directory target, LiveSetOptions options, OutputFactory outputs) {
    this.source = source;
    this.target = target;
    this.options = options;
    this.outputs = outputs;
  }

  /**
   * Adds the SSTables to a transaction, which is left open.
   *
   * @param live the SSTables of the target now
   * @return what they are called in the target, in the order of their names in the source
   * @throws IllegalArgumentException if one does not fit or is live here already; says which
   */
  List<Descriptor> addTo(Transaction transaction, List<LiveTable> live) throws IOException {
    List<Descriptor> imported = new ArrayList<>();
    Map<Object, Descriptor> present = dataFilesByIdentity(live);
    for (String name : Recovery.read(source).dataFiles()) {
      Descriptor from = Descriptor.parse(source, name);
      try (SSTable table = options.opener().open(source, from)) {
        requireAbsent(name, present);
        TableCheck.check(table, outputs.schema(), options.partitioner());
        options.observer().importing(table);
        Descriptor to = Descriptor.of(from.version(), outputs.nextGeneration());
        transaction.add(new ImportedOutput(table, target, to));
        imported.add(to);
      }
    }
    return imported;
  }

  private Map<Object, Descriptor> dataFilesByIdentity(List<LiveTable> live) throws IOException {
    Map<Object, Descriptor> files = new HashMap<>();
    for (LiveTable table : live) {
      Object identity = target.identity(table.descriptor().fileName(Component.DATA));
      if (identity != null) {
        files.put(identity, table.descriptor());
      }
    }
    return files;
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
