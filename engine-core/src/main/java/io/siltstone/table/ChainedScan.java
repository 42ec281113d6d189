package io.siltstone.table;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionKey;
import io.siltstone.cursor.PartitionRange;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.sstable.SSTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scan over SSTables that lie one behind the other: only one of them is open at a time, so that a
 * level of any number of tables costs one read-ahead buffer.
 *
 * <p>Rows have the encodings of their tables. Confined to one thread, closed by its opener.
 */
final class ChainedScan implements PartitionCursor {
  private final List<SSTable> tables;
  private final Opener opener;
  private int next;
  private @Nullable PartitionCursor cursor;
  private boolean closed;

  /** Opens a cursor over what a table has of the range. */
  @FunctionalInterface
  interface Opener {
    PartitionCursor open(SSTable table) throws IOException;
  }

  private ChainedScan(List<SSTable> tables, Opener opener) {
    this.tables = tables;
    this.opener = opener;
  }

  /**
   * Scans that together show a range of all tables: as few as possible.
   *
   * @param byFirstKey tables in the order of their first keys
   */
  static List<ChainedScan> over(List<SSTable> byFirstKey, PartitionRange range) {
    return over(byFirstKey, range, table -> table.scan(range));
  }

  /** As the other, with other cursors. */
  static List<ChainedScan> over(List<SSTable> byFirstKey, PartitionRange range, Opener opener) {
    List<List<SSTable>> chains = new ArrayList<>();
    for (SSTable table : byFirstKey) {
      if (overlaps(table, range)) {
        chainFor(table, chains).add(table);
      }
    }
    return chains.stream().map(chain -> new ChainedScan(chain, opener)).toList();
  }

  private static List<SSTable> chainFor(SSTable table, List<List<SSTable>> chains) {
    for (List<SSTable> chain : chains) {
      if (chain.get(chain.size() - 1).lastKey().compareTo(table.firstKey()) < 0) {
        return chain;
      }
    }
    List<SSTable> chain = new ArrayList<>();
    chains.add(chain);
    return chain;
  }

  private static boolean overlaps(SSTable table, PartitionRange range) {
    PartitionKey from = range.from();
    PartitionKey to = range.to();
    return (from == null || table.lastKey().compareTo(from) >= 0)
        && (to == null || table.firstKey().compareTo(to) < 0);
  }

  private PartitionCursor cursor() {
    PartitionCursor present = cursor;
    if (present == null) {
      throw new IllegalStateException(
          closed ? "the scan is closed" : "the scan is at no partition");
    }
    return present;
  }

  /** That of the present table. */
  @Override
  public RowEncoding encoding() {
    return cursor().encoding();
  }

  @Override
  public boolean nextPartition() throws IOException {
    if (closed) {
      throw new IllegalStateException("the scan is closed");
    }
    while (true) {
      PartitionCursor present = cursor;
      if (present != null) {
        if (present.nextPartition()) {
          return true;
        }
        cursor = null;
        present.close();
      }
      if (next == tables.size()) {
        return false;
      }
      cursor = opener.open(tables.get(next++));
    }
  }

  @Override
  public PartitionKey key() {
    return cursor().key();
  }

  @Override
  public long deletionTimestamp() {
    return cursor().deletionTimestamp();
  }

  @Override
  public long deletionLocalTime() {
    return cursor().deletionLocalTime();
  }

  @Override
  public boolean nextUnfiltered() throws IOException {
    return cursor().nextUnfiltered();
  }

  @Override
  public Unfiltered unfiltered() {
    return cursor().unfiltered();
  }

  @Override
  public void close() throws IOException {
    closed = true;
    PartitionCursor present = cursor;
    cursor = null;
    if (present != null) {
      present.close();
    }
  }
}
