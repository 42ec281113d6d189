package io.siltstone.table;

import io.siltstone.catalog.Catalog;
import io.siltstone.catalog.Identity;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.liveset.FlushedPositionStore;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.CommitLogPosition;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Infers the identity of a database whose {@code siltstone.properties} is missing or damaged from
 * its SSTables. Each SSTable names its partitioner, and up to which position of which host's commit
 * log it contains changes. The host of the greatest position is taken: segments of a log get ids
 * greater than all positions that the tables had when they were begun, so only this host can be the
 * one whose log has positions that are in SSTables. If the tables have no position of that log, all
 * of it is replayed, as it must be.
 *
 * <p>Used once, by one thread.
 */
final class IdentitySearch {
  private @Nullable UUID host;
  private CommitLogPosition last = CommitLogPosition.NONE;
  private @Nullable Partitioner partitioner;
  private boolean hasTables;

  /**
   * Returns the identity as far as it is known.
   *
   * @param data the directory of the tables
   * @return empty if there is no table, so that it may be no database
   */
  Optional<Identity> search(Directory data) throws IOException {
    for (String keyspace : data.directories()) {
      Directory parent = data.directory(keyspace);
      for (String name : parent.directories()) {
        searchTable(parent.directory(name));
      }
    }
    return hasTables
        ? Optional.of(
            new Identity(
                host != null ? host : UUID.randomUUID(),
                partitioner != null ? partitioner : Partitioner.MURMUR3))
        : Optional.empty();
  }

  /** Returns the source of the identity, as the end of a sentence. */
  String source() {
    return (host != null
            ? "the host of the last position of a commit log in SSTables"
            : "a new host, since no SSTable has changes of a commit log")
        + (partitioner != null
            ? ", and the partitioner of the SSTables"
            : ", and the default partitioner, since there is no SSTable");
  }

  private void searchTable(Directory table) throws IOException {
    hasTables |= table.exists(Catalog.SCHEMA_FILE);
    for (String name : table.files()) {
      if (Descriptor.isComponent(name, Component.STATISTICS)) {
        hasTables = true;
        try {
          add(Statistics.read(table, name, Descriptor.parse(table, name).version()));
        } catch (CorruptSSTableException | IllegalArgumentException e) {
          // The content of this SSTable is unknown; it is quarantined when it is opened.
        }
      }
    }
    try {
      FlushedPositionStore.read(table).forEach(this::add);
    } catch (CorruptFileException e) {
      // Then nothing is known about it, neither here nor when the table is opened.
      hasTables = true;
    }
  }

  private void add(Statistics statistics) {
    partitioner = Partitioner.ofClassName(statistics.validation().partitioner());
    StatsMetadata stats = statistics.stats();
    if (!stats.commitLogIntervals().intervals().isEmpty()) {
      stats.originatingHostId().ifPresent(id -> add(id, stats.commitLogIntervals().upperBound()));
    }
  }

  private void add(UUID id, CommitLogPosition position) {
    if (host == null || position.compareTo(last) > 0) {
      host = id;
      last = position;
    }
  }
}
