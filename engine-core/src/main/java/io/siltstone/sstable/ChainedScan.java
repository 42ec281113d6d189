package io.siltstone.sstable;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scan over SSTables that do not overlap, one after the other: only one of them is open at a
 * time, so that a level of any number of SSTables costs one read-ahead buffer, and one comparison
 * in a merge.
 *
 * <p>Rows have the encodings of their SSTables. Confined to one thread; the caller that opens it
 * closes it. Source: Cassandra {@code LeveledCompactionStrategy.LeveledScanner}.
 */
public final class ChainedScan implements PartitionCursor {
  private final List<SSTable> chain;
  private final Opener opener;
  private int next;
  private @Nullable PartitionCursor cursor;
  // The last key of the SSTables before the current one, until that has returned its first key.
  private final PartitionKey before = new PartitionKey();
  private boolean isAtFirst;
  private boolean hasBefore;
  private boolean closed;

  /** Opens a cursor over an SSTable. */
  @FunctionalInterface
  public interface Opener {
    /** Opens a cursor, which the caller closes. */
    PartitionCursor open(SSTable table) throws IOException;
  }

  private ChainedScan(List<SSTable> chain, Opener opener) {
    this.chain = chain;
    this.opener = opener;
  }

  /**
   * Divides SSTables into as few chains as possible.
   *
   * @param byFirstKey SSTables in the order of their first keys; those without keys in the range
   *     are left out
   */
  public static List<List<SSTable>> chains(List<SSTable> byFirstKey, PartitionRange range) {
    List<List<SSTable>> chains = new ArrayList<>();
    for (SSTable table : byFirstKey) {
      if (range.overlaps(table.firstKey(), table.lastKey())) {
        chainFor(table, chains).add(table);
      }
    }
    return chains;
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

  /**
   * Scans a chain; nothing is opened before the first move.
   *
   * @param chain one of {@link #chains}
   */
  public static ChainedScan over(List<SSTable> chain, Opener opener) {
    return new ChainedScan(chain, opener);
  }

  private PartitionCursor cursor() {
    PartitionCursor present = cursor;
    if (present == null) {
      throw new IllegalStateException(
          closed ? "the scan is closed" : "the scan is at no partition");
    }
    return present;
  }

  /** Returns the encoding of the current SSTable. */
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
          checkFirst(present.key());
          return true;
        }
        if (!isAtFirst) {
          before.copyFrom(present.key());
          hasBefore = true;
        }
        cursor = null;
        present.close();
      }
      if (next == chain.size()) {
        return false;
      }
      cursor = opener.open(chain.get(next++));
      isAtFirst = true;
    }
  }

  /**
   * Checks that the SSTables of the chain really do not overlap, which only their indexes state.
   */
  private void checkFirst(PartitionKey first) throws IOException {
    if (isAtFirst && hasBefore && first.compareTo(before) <= 0) {
      throw chain
          .get(next - 2)
          .dataOutOfOrder(
              before
                  + " lies after the last key that its index has, and not before "
                  + first
                  + " of "
                  + chain.get(next - 1)
                  + "; scrub writes such an SSTable in order");
    }
    isAtFirst = false;
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
