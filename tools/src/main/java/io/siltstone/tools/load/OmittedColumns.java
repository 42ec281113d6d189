package io.siltstone.tools.load;

import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.Directory;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.type.CqlName;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Collects the columns of SSTables that the schema lacks, with the first SSTable that has each.
 * Confined to one thread.
 */
final class OmittedColumns {
  private final Map<String, String> fileByColumn = new TreeMap<>();

  /**
   * Adds the columns of an SSTable.
   *
   * @param columns columns that are exported from it
   */
  void add(String file, SerializationHeader header, OutputColumns columns) {
    columns.omitted(header).forEach(name -> fileByColumn.putIfAbsent(name, file));
  }

  /** Adds the columns of all SSTables of a directory whose statistics can be read. */
  void addAllOf(Directory directory, OutputColumns columns) throws IOException {
    for (String name : directory.files()) {
      if (Descriptor.isComponent(name, Component.STATISTICS)) {
        try {
          Statistics statistics =
              Statistics.read(directory, name, Descriptor.parse(directory, name).version());
          add(directory.path() + "/" + name, statistics.header(), columns);
        } catch (IOException e) {
          // It has been deleted meanwhile, or opening the table has already reported it.
        }
      }
    }
  }

  boolean isEmpty() {
    return fileByColumn.isEmpty();
  }

  /** Returns the columns and their files, as the beginning of a sentence. */
  @Override
  public String toString() {
    return fileByColumn.entrySet().stream()
        .map(each -> "column " + CqlName.quoted(each.getKey()) + " of " + each.getValue())
        .collect(Collectors.joining(", ", "the schema lacks ", ""));
  }
}
