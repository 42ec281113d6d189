package io.siltstone.table.read;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import io.siltstone.event.EngineListener;
import io.siltstone.explain.FindingListener;
import io.siltstone.explain.Source;
import io.siltstone.explain.walk.KeySource;
import io.siltstone.io.CorruptFileException;
import io.siltstone.liveset.KeyRangeDeletionStore;
import io.siltstone.liveset.View;
import io.siltstone.memtable.Memtable;
import io.siltstone.memtable.MemtableReader;
import io.siltstone.memtable.MemtableSnapshot;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.PartitionReader;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content that each memtable and each SSTable has for one key, unmerged, to be explained. Each
 * source is read by a reader of its own.
 *
 * <p>Confined to one thread. Closed by its opener, before the snapshot that it reads from.
 */
final class KeySources implements Closeable {
  private final List<KeySource> sources = new ArrayList<>();
  private final Map<Source, Throwable> damaged = new LinkedHashMap<>();
  private final Closeables opened = new Closeables();

  private KeySources() {}

  /**
   * Opens the sources that may have the key.
   *
   * @param encoding of the table
   * @param snapshots of all memtables, newest first
   * @param quarantined SSTables that could not be opened
   */
  static KeySources open(
      RowEncoding encoding,
      PartitionKey key,
      List<Slice> slices,
      List<MemtableSnapshot> snapshots,
      View view,
      List<EngineListener.CorruptionFound> quarantined)
      throws IOException {
    KeySources all = new KeySources();
    quarantined.forEach(all::add);
    try {
      for (int i = 0; i < snapshots.size(); i++) {
        all.add(key, slices, snapshots.get(i), i);
      }
      for (MemtableSnapshot snapshot : snapshots) {
        all.add(
            key,
            snapshot.keyRanges(),
            "deletions of ranges of keys in a memtable",
            Source.Kind.MEMTABLE,
            encoding);
      }
      all.add(key, view.keyRanges(), KeyRangeDeletionStore.FILE, Source.Kind.KEY_RANGES, encoding);
      long[] hash = new long[2];
      Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
      for (SSTable table : view.newestFirst()) {
        if (all.mightContain(key, hash, table)) {
          all.add(key, slices, table);
        }
      }
      return all;
    } catch (Throwable e) {
      Closeables.closeAfter(all, e);
      throw e;
    }
  }

  private void add(PartitionKey key, List<Slice> slices, MemtableSnapshot snapshot, int index)
      throws IOException {
    Memtable memtable = snapshot.memtable();
    long minTimestamp = memtable.minTimestamp(key);
    if (minTimestamp == Long.MAX_VALUE) {
      // A purge makes the same assumption.
      return;
    }
    Source source =
        new Source(
            index == 0 ? "memtable" : "memtable " + index + " (being flushed)",
            Source.Kind.MEMTABLE,
            minTimestamp);
    MemtableReader reader = new MemtableReader(memtable.encoding());
    opened.add(reader);
    boolean isThere = reader.open(memtable) && reader.seek(key, slices, false, snapshot);
    sources.add(new KeySource(source, isThere ? reader : null));
  }

  /** Adds the deletion of a range with the key, as the deletion of the partition that it is. */
  private void add(
      PartitionKey key,
      @Nullable KeyRangeDeletions ranges,
      String name,
      Source.Kind kind,
      RowEncoding encoding) {
    int index = ranges == null ? KeyRangeDeletions.NONE : ranges.find(key);
    if (ranges != null && index != KeyRangeDeletions.NONE) {
      KeyRangeDeletions.Fragment range = ranges.fragments().get(index);
      PartitionUpdate deletion = new PartitionUpdate(encoding);
      deletion.begin(key);
      deletion.deletion(range.timestamp(), range.localDeletionTime());
      sources.add(new KeySource(new Source(name, kind, range.timestamp()), deletion.cursor()));
    }
  }

  /** Adds an SSTable whose filter cannot be read as damaged, and then returns false. */
  private boolean mightContain(PartitionKey key, long[] hash, SSTable table) throws IOException {
    try {
      return table.mightContain(key, hash[0], hash[1]);
    } catch (CorruptSSTableException | CorruptFileException e) {
      Source source = holder(table);
      damaged.put(source, e);
      sources.add(new KeySource(source, null));
      return false;
    }
  }

  private void add(PartitionKey key, List<Slice> slices, SSTable table) throws IOException {
    Source source = holder(table);
    PartitionReader reader = table.reader();
    opened.add(reader);
    @Nullable PartitionReader found = null;
    try {
      found = reader.seek(key, slices, false) ? reader : null;
    } catch (CorruptSSTableException | CorruptFileException e) {
      damaged.put(source, e);
    }
    sources.add(new KeySource(source, found));
  }

  /**
   * Adds an SSTable that could not be opened: it may have the key with any timestamp, as a purge
   * assumes, too.
   */
  private void add(EngineListener.CorruptionFound quarantined) {
    String file = quarantined.path().substring(quarantined.path().lastIndexOf('/') + 1);
    Source source =
        new Source(
            file.replace("-" + Component.DATA.fileName(), ""),
            Source.Kind.QUARANTINED,
            Long.MIN_VALUE);
    damaged.put(source, quarantined.cause());
    sources.add(new KeySource(source, null));
  }

  private static Source holder(SSTable table) {
    StatsMetadata stats = table.statistics().stats();
    Source.Kind kind =
        stats.repair().isRepairSeparated()
            ? Source.Kind.SET_APART
            : stats.repair().isRepaired() ? Source.Kind.REPAIRED : Source.Kind.UNREPAIRED;
    return new Source(table.descriptor().toString(), kind, stats.minTimestamp());
  }

  List<KeySource> sources() {
    return sources;
  }

  void reportDamage(FindingListener listener) throws IOException {
    for (Map.Entry<Source, Throwable> each : damaged.entrySet()) {
      listener.damaged(each.getKey(), each.getValue());
    }
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }
}
