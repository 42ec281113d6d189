package io.siltstone.spark.write;

import io.siltstone.OfflineTable;
import io.siltstone.catalog.Catalog;
import io.siltstone.files.FileCopy;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.ring.TokenRing;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.files.Storage;
import io.siltstone.spark.table.SourceTable;
import io.siltstone.spi.LiveTable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One directory for each node of a cluster, {@code PATH/NODE/KEYSPACE/TABLE}, with the SSTables of
 * a job that the node owns: what {@code nodetool import} and {@code sstableloader} take. The files
 * are hard links where the file system has them, else copies. Used by one thread.
 */
final class NodeDirectories {
  private static final Logger LOG = LoggerFactory.getLogger(NodeDirectories.class);

  private final TokenRing ring;
  private final String path;
  private boolean hasBegun;

  private NodeDirectories(TokenRing ring, String path) {
    this.ring = ring;
    this.path = path;
  }

  /**
   * Checks that the directory is a new one.
   *
   * @throws IllegalArgumentException if it exists and is not empty
   */
  static NodeDirectories of(TokenRing ring, String path) throws IOException {
    NodeDirectories nodes = new NodeDirectories(ring, path);
    nodes.requireEmpty();
    return nodes;
  }

  private void requireEmpty() throws IOException {
    try {
      Directory present = NioDirectory.openExisting(Storage.localPath(path));
      if (!present.files().isEmpty() || !present.directories().isEmpty()) {
        throw new IllegalArgumentException(
            "option nodeDirectories is '"
                + path
                + "', which is not empty, allowed a new directory");
      }
    } catch (NoSuchFileException e) {
      // It is made when there is something for it.
    }
  }

  /**
   * Writes the directories.
   *
   * @param source the SSTables of the job, of which each is within one range
   */
  void write(Directory source, TableSchema schema) throws IOException {
    Map<String, Set<String>> owned = new TreeMap<>();
    ring.nodes().forEach(node -> owned.put(node, new HashSet<>()));
    try (OfflineTable table = SourceTable.open(source, schema)) {
      for (LiveTable sstable : table.live().tables()) {
        String name = sstable.descriptor().toString();
        Set<String> owners = ring.ownersOf(sstable.firstKey().token());
        if (owners.isEmpty()) {
          LOG.warn("no node of option ring owns the tokens of {} in {}", name, source.path());
        }
        for (String node : owners) {
          owned.computeIfAbsent(node, each -> new HashSet<>()).add(name + "-");
        }
      }
    }
    requireEmpty();
    hasBegun = true;
    Directory root = NioDirectory.open(Storage.localPath(path));
    List<String> files = source.files();
    for (Map.Entry<String, Set<String>> node : owned.entrySet()) {
      String name = TokenRing.directoryName(node.getKey());
      Directory target = root.makeDirectories(List.of(name, schema.keyspace(), schema.name()));
      Catalog.writeSchema(target, schema);
      for (String file : files) {
        if (node.getValue().contains(file.substring(0, file.lastIndexOf('-') + 1))) {
          FileCopy.linkOrCopy(source, file, target);
        }
      }
      target.sync();
    }
  }

  /** Removes what has been written, after a failure. */
  void removeAfter(Exception failure) {
    if (!hasBegun) {
      return;
    }
    try {
      clear(NioDirectory.openExisting(Storage.localPath(path)));
    } catch (NoSuchFileException e) {
      // Nothing was written.
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static void clear(Directory directory) throws IOException {
    for (String file : directory.files()) {
      directory.delete(file);
    }
    for (String child : directory.directories()) {
      clear(directory.existingDirectory(child));
      directory.deleteDirectory(child);
    }
  }
}
