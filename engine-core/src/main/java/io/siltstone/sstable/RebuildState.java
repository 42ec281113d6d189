package io.siltstone.sstable;

import io.siltstone.chunk.ChunkedFile;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.maintenance.RebuildReport;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.big.IndexCursor;
import io.siltstone.sstable.bti.PartitionTrie;
import io.siltstone.sstable.bti.PartitionTrieCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.StatisticsParts;
import io.siltstone.sstable.metadata.ValidationMetadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The files of an SSTable that is being rebuilt: the existing files, in place of which readers get
 * the components that have been rewritten under temporary names. Confined to one thread.
 */
final class RebuildState {
  static final int PLAIN_CHUNK_BYTES = 64 * 1024;

  private static final List<Partitioner> PARTITIONERS =
      List.of(Partitioner.MURMUR3, Partitioner.BYTE_ORDERED);

  private final Directory directory;
  private final Descriptor descriptor;
  private final RebuildOptions options;
  private final MemoryBudget budget;
  private final OverlaidDirectory files;
  private final Map<Component, String> rebuilt = new EnumMap<>(Component.class);
  private final List<RebuildReport.Rebuilt> found = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();

  RebuildState(
      Directory directory, Descriptor descriptor, RebuildOptions options, MemoryBudget budget) {
    this.directory = directory;
    this.descriptor = descriptor;
    this.options = options;
    this.budget = budget;
    this.files = new OverlaidDirectory(directory);
  }

  /** Returns the directory as it is, without rewritten components. */
  Directory directory() {
    return directory;
  }

  /** Returns the directory with rewritten components in place of the existing ones. */
  OverlaidDirectory files() {
    return files;
  }

  Descriptor descriptor() {
    return descriptor;
  }

  RebuildOptions options() {
    return options;
  }

  MemoryBudget budget() {
    return budget;
  }

  /** Returns the components that have been rewritten. */
  Set<Component> rebuilt() {
    return rebuilt.keySet();
  }

  boolean isRebuilt(Component component) {
    return rebuilt.containsKey(component);
  }

  /** Adds a sentence to the report. */
  void remark(String sentence) {
    remarks.add(sentence);
  }

  RebuildReport report() {
    return new RebuildReport(descriptor, found, remarks);
  }

  String name(Component component) {
    return descriptor.fileName(component);
  }

  String path(Component component) {
    return directory.path() + "/" + name(component);
  }

  boolean exists(Component component) throws IOException {
    return files.exists(name(component));
  }

  /** Returns the temporary name of a component that is about to be written. */
  String temporary(Component component) {
    return descriptor.temporaryFileName(component);
  }

  /** Uses a component that was written under its temporary name. */
  void use(Component component, String reason) {
    files.replace(name(component), temporary(component));
    rebuilt.put(component, reason);
    found.add(new RebuildReport.Rebuilt(component, reason));
  }

  /** Opens the data file; the caller closes it. */
  ChunkedFile openData(boolean isCompressed) throws IOException {
    return isCompressed
        ? ChunkedFile.openCompressed(
            files, name(Component.DATA), name(Component.COMPRESSION_INFO), budget, 1)
        : ChunkedFile.openPlain(
            files,
            name(Component.DATA),
            exists(Component.CRC) ? name(Component.CRC) : null,
            budget,
            1);
  }

  /** Reads the intact parts of the statistics. */
  StatisticsParts partsOfStatistics() throws IOException {
    if (!exists(Component.STATISTICS)) {
      return StatisticsParts.NOTHING;
    }
    SerializationHeader table = options.columns().current();
    return StatisticsParts.read(
        files,
        name(Component.STATISTICS),
        descriptor.version(),
        table == null ? null : table.clusteringTypes());
  }

  /**
   * Returns the partitioner that the statistics name, or else the one that the options have, or
   * else the one in whose order the keys of the index are.
   */
  Partitioner partitioner() throws IOException {
    ValidationMetadata validation = partsOfStatistics().validation();
    if (validation != null) {
      return Partitioner.ofClassName(validation.partitioner());
    }
    Partitioner known = options.partitioner();
    if (known != null) {
      return known;
    }
    for (Partitioner candidate : PARTITIONERS) {
      if (isOrderOf(candidate)) {
        return candidate;
      }
    }
    return Partitioner.MURMUR3;
  }

  /** Returns whether the readable keys of the index are in the order of a partitioner. */
  private boolean isOrderOf(Partitioner partitioner) throws IOException {
    if (!exists(descriptor.version().keyComponent())) {
      return false;
    }
    if (descriptor.version().hasTrieIndex()) {
      return isOrderOfTrie(partitioner);
    }
    long[] hash = new long[2];
    PartitionKey key = new PartitionKey();
    PartitionKey before = new PartitionKey();
    try (ReadableFile index = files.open(name(Component.PRIMARY_INDEX), ReadIntent.SCAN);
        IndexCursor entries = IndexCursor.over(index, PLAIN_CHUNK_BYTES, true)) {
      for (boolean isFirst = true; entries.next(); isFirst = false) {
        entries.wrapKey(key, partitioner, hash);
        if (!isFirst && key.compareTo(before) <= 0) {
          return false;
        }
        before.copyFrom(key);
      }
    } catch (CorruptSSTableException e) {
      // The entries that were read before the damage count.
    }
    return true;
  }

  /** Returns whether the first and the last entry of a trie are those of its first and last key. */
  private boolean isOrderOfTrie(Partitioner partitioner) throws IOException {
    try (ReadableFile file = files.open(name(Component.PARTITIONS), ReadIntent.INDEX)) {
      PartitionTrie trie = PartitionTrie.open(file, Component.PARTITIONS, partitioner);
      PartitionTrieCursor entries = new PartitionTrieCursor(trie);
      if (entries.toFirst()) {
        entries.check(trie.firstKey());
      }
      if (entries.toLast()) {
        entries.check(trie.lastKey());
      }
      return true;
    } catch (CorruptSSTableException e) {
      return false;
    }
  }

  /** Returns the names in the table of contents; none if it is missing or no text. */
  Set<String> namesInContents() throws IOException {
    Set<String> names = new TreeSet<>();
    if (directory.exists(name(Component.TOC))) {
      String text;
      try {
        text = SSTableFiles.readText(directory, name(Component.TOC), Component.TOC);
      } catch (CorruptSSTableException e) {
        return names;
      }
      text.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(names::add);
    }
    return names;
  }

  void removeTemporary() throws IOException {
    for (Component component : Component.values()) {
      deleteIfThere(temporary(component));
    }
  }

  void deleteIfThere(String file) throws IOException {
    if (directory.exists(file)) {
      directory.delete(file);
    }
  }
}
