package io.siltstone.tools.compact;

import io.siltstone.catalog.Catalog;
import io.siltstone.files.FileCopy;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.liveset.KeyRangeDeletionStore;
import io.siltstone.liveset.RetentionFloorStore;
import io.siltstone.ring.TokenRing;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.format.Component;
import io.siltstone.text.CountText;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Writes one directory for each node of a cluster, {@code OUTPUT/NODE/KEYSPACE/TABLE}, with the
 * SSTables that the node owns: what {@code nodetool import} and {@code sstableloader} take. The
 * files are hard links where the file system has them, else copies.
 */
final class NodeDirectories {
  private final TokenRing ring;
  private final NavigableSet<Long> bounds;
  private final Path output;

  /**
   * @param output does not exist yet, or is empty
   */
  NodeDirectories(TokenRing ring, Path output) {
    this.ring = ring;
    this.bounds = ring.bounds();
    this.output = output;
  }

  /**
   * Checks what can be known before the table is split.
   *
   * @throws UsageException naming the option that is wrong
   */
  void requireUsable(OpenTable table) throws IOException {
    if (table.isEncrypted()) {
      throw new UsageException(
          "--output is for Cassandra, which cannot read the encrypted files of " + table.files());
    }
    for (String file : List.of(RetentionFloorStore.FILE, KeyRangeDeletionStore.FILE)) {
      if (Files.exists(table.files().resolve(file))) {
        throw new UsageException(
            "--output is for Cassandra, which does not know what "
                + table.files().resolve(file)
                + " deletes; 'siltstone export' leaves that out, and 'siltstone load' makes"
                + " SSTables of the rest");
      }
    }
    if (Files.exists(output)) {
      if (!Files.isDirectory(output)) {
        throw new UsageException("--output " + output + " is a file, allowed is a new directory");
      }
      try (Stream<Path> files = Files.list(output)) {
        if (files.findAny().isPresent()) {
          throw new UsageException("--output " + output + " is not empty");
        }
      }
    }
  }

  /**
   * Writes the directories. After a failure none of them is left.
   *
   * @return a line for each node
   */
  List<String> write(OpenTable table) throws IOException {
    Map<String, List<LiveTable>> owned = new LinkedHashMap<>();
    ring.nodes().forEach(node -> owned.put(node, new ArrayList<>()));
    List<LiveTable> unowned = new ArrayList<>();
    for (LiveTable sstable : table.present().get().tables()) {
      Set<String> owners = ownersOf(sstable, table);
      owners.forEach(node -> owned.computeIfAbsent(node, each -> new ArrayList<>()).add(sstable));
      if (owners.isEmpty()) {
        unowned.add(sstable);
      }
    }
    Directory source = NioDirectory.openExisting(table.files());
    List<String> names = source.files();
    List<String> lines = new ArrayList<>();
    List<Path> made = new ArrayList<>();
    try {
      for (Map.Entry<String, List<LiveTable>> node : owned.entrySet()) {
        Path directory = directoryOf(node.getKey(), table);
        make(directory, made);
        copy(source, names, node.getValue(), NioDirectory.openExisting(directory));
        lines.add(
            node.getKey()
                + ": "
                + CountText.of(node.getValue().size(), "SSTable")
                + " in "
                + directory);
      }
    } catch (Throwable e) {
      remove(made, e);
      throw e;
    }
    if (!unowned.isEmpty()) {
      lines.add(
          "no node of the ring owns "
              + unowned.stream().map(sstable -> sstable.descriptor().toString()).toList());
    }
    return lines;
  }

  private Set<String> ownersOf(LiveTable sstable, OpenTable table) throws IOException {
    long first = sstable.firstKey().token();
    long last = sstable.lastKey().token();
    Long bound = bounds.ceiling(first);
    if (bound != null && bound < last) {
      throw new IOException(
          table.files()
              + ": "
              + sstable.descriptor()
              + " has partitions of several ranges and could not be split");
    }
    return ring.ownersOf(first);
  }

  private Path directoryOf(String node, OpenTable table) {
    return output
        .resolve(TokenRing.directoryName(node))
        .resolve(table.schema().keyspace())
        .resolve(table.schema().name());
  }

  /** Makes a directory, and notes those above it that did not exist either. */
  private static void make(Path directory, List<Path> made) throws IOException {
    Path absolute = directory.toAbsolutePath();
    List<Path> missing = new ArrayList<>();
    for (Path each = absolute; each != null && !Files.exists(each); each = each.getParent()) {
      missing.add(0, each);
    }
    for (Path each : missing) {
      Files.createDirectory(each);
      made.add(each);
    }
  }

  /** Gives the files of SSTables, and the definition of the table, to another directory. */
  private static void copy(
      Directory source, List<String> names, List<LiveTable> sstables, Directory target)
      throws IOException {
    Set<String> prefixes = new TreeSet<>();
    sstables.forEach(sstable -> prefixes.add(sstable.descriptor() + "-"));
    for (String name : names) {
      String prefix = name.substring(0, name.lastIndexOf('-') + 1);
      // Cassandra builds its secondary indexes anew.
      if (prefixes.contains(prefix) && !Component.isOfIndex(name.substring(prefix.length()))) {
        FileCopy.linkOrCopy(source, name, target);
      }
    }
    if (names.contains(Catalog.SCHEMA_FILE)) {
      // For the tools; Cassandra passes over it.
      FileCopy.linkOrCopy(source, Catalog.SCHEMA_FILE, target);
    }
    target.sync();
  }

  private static void remove(List<Path> made, Throwable cause) {
    for (Path directory : made) {
      try (Stream<Path> files = Files.exists(directory) ? Files.walk(directory) : Stream.of()) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      } catch (IOException e) {
        cause.addSuppressed(e);
      }
    }
  }
}
