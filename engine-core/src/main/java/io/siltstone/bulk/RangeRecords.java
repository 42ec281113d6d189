package io.siltstone.bulk;

import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The range deletions of a sort that are in memory: a record has all markers that one change has of
 * its partition. Since ranges of different changes may overlap, they are divided into the fewest
 * cursors whose ranges do not, which a merge then unites. Confined to one thread.
 */
final class RangeRecords {
  /** The approximate size of a record on the heap without its bytes. */
  private static final int OVERHEAD_BYTES = 1024;

  private final RowEncoding encoding;
  private final ClusteringComparator order;
  private final List<Markers> records = new ArrayList<>();
  private final Markers.Builder builder = new Markers.Builder();
  private long heldBytes;

  RangeRecords(RowEncoding encoding) {
    this.encoding = encoding;
    this.order = new ClusteringComparator(encoding.header().clusteringTypes());
  }

  /** Returns the approximate number of bytes on the heap. */
  long heldBytes() {
    return heldBytes;
  }

  boolean isEmpty() {
    return records.isEmpty();
  }

  /** Adds a marker of a change, which the caller ends. */
  void add(Unfiltered marker) {
    builder.add(marker);
  }

  /** Ends a change of a partition. */
  void end(PartitionKey of) throws IOException {
    if (!builder.isEmpty()) {
      Markers markers = builder.build(encoding, of);
      records.add(markers);
      heldBytes += OVERHEAD_BYTES + markers.bytes.length;
    }
  }

  /** Removes the markers of a change that has not ended. */
  void discard() {
    builder.clear();
  }

  void clear() {
    records.clear();
    heldBytes = 0;
  }

  /** Returns cursors over all records, each in order; valid until records are added. */
  List<PartitionCursor> cursors() {
    records.sort(
        Comparator.comparing((Markers each) -> each.key)
            .thenComparing(each -> each.first.clustering(), order));
    List<List<Markers>> chains = new ArrayList<>();
    PriorityQueue<Integer> byEnd =
        new PriorityQueue<>(
            Comparator.comparing(
                chain -> chains.get(chain).get(chains.get(chain).size() - 1),
                (left, right) -> order.compare(left.last.clustering(), right.last.clustering())));
    @Nullable PartitionKey present = null;
    int used = 0;
    for (Markers record : records) {
      if (present == null || !record.key.equals(present)) {
        present = record.key;
        byEnd.clear();
        used = 0;
      }
      Integer first = byEnd.peek();
      int chain;
      if (first != null && isAfterEnd(record, chains.get(first))) {
        chain = byEnd.remove();
      } else {
        chain = used++;
        if (chain == chains.size()) {
          chains.add(new ArrayList<>());
        }
      }
      chains.get(chain).add(record);
      byEnd.add(chain);
    }
    List<PartitionCursor> cursors = new ArrayList<>();
    chains.forEach(chain -> cursors.add(new Chain(encoding, chain)));
    return cursors;
  }

  private boolean isAfterEnd(Markers record, List<Markers> chain) {
    Markers before = chain.get(chain.size() - 1);
    return order.compare(before.last.clustering(), record.first.clustering()) < 0;
  }

  /** The markers that one change has of a partition, in order. */
  private static final class Markers {
    private final PartitionKey key;
    private final byte[] bytes;
    private final int[] ends;
    private final Unfiltered first;
    private final Unfiltered last;

    private Markers(RowEncoding encoding, PartitionKey of, byte[] bytes, int[] ends)
        throws IOException {
      this.key = PartitionKey.of(of.toByteArray(), of.token());
      this.bytes = bytes;
      this.ends = ends;
      this.first = view(encoding, key);
      this.last = view(encoding, key);
      first.wrap(bytes, 0, ends[0]);
      last.wrap(bytes, ends.length < 2 ? 0 : ends[ends.length - 2], ends[ends.length - 1]);
    }

    private static Unfiltered view(RowEncoding encoding, PartitionKey of) {
      return new Unfiltered(
          encoding, (at, reason) -> new IOException("a range of " + of + ": " + reason));
    }

    /** Collects markers. */
    private static final class Builder {
      private byte[] bytes = new byte[256];
      private int length;
      private int[] ends = new int[8];
      private int count;

      boolean isEmpty() {
        return count == 0;
      }

      void clear() {
        count = 0;
        length = 0;
      }

      void add(Unfiltered marker) {
        int more = marker.end() - marker.from();
        if (more > bytes.length - length) {
          bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
        }
        if (count == ends.length) {
          ends = Arrays.copyOf(ends, 2 * count);
        }
        System.arraycopy(marker.bytes(), marker.from(), bytes, length, more);
        length += more;
        ends[count++] = length;
      }

      Markers build(RowEncoding encoding, PartitionKey of) throws IOException {
        Markers built =
            new Markers(encoding, of, Arrays.copyOf(bytes, length), Arrays.copyOf(ends, count));
        clear();
        return built;
      }
    }
  }

  /** Shows records that are in order and do not overlap. */
  private static final class Chain implements PartitionCursor {
    private final RowEncoding encoding;
    private final List<Markers> records;
    private final Unfiltered view;
    private int present = -1;
    private int nextMarker;

    Chain(RowEncoding encoding, List<Markers> records) {
      this.encoding = encoding;
      this.records = records;
      this.view =
          new Unfiltered(encoding, (at, reason) -> new IOException("a range deletion: " + reason));
    }

    @Override
    public RowEncoding encoding() {
      return encoding;
    }

    @Override
    public boolean nextPartition() {
      while (present >= 0 && isFollowedBySameKey()) {
        present++;
      }
      nextMarker = 0;
      return ++present < records.size();
    }

    private boolean isFollowedBySameKey() {
      return present + 1 < records.size()
          && records.get(present + 1).key.equals(records.get(present).key);
    }

    @Override
    public PartitionKey key() {
      return records.get(present).key;
    }

    @Override
    public long deletionTimestamp() {
      return DeletionTime.NO_TIMESTAMP;
    }

    @Override
    public long deletionLocalTime() {
      return DeletionTime.NO_DELETION_TIME;
    }

    @Override
    public boolean nextUnfiltered() throws IOException {
      if (nextMarker == records.get(present).ends.length) {
        if (!isFollowedBySameKey()) {
          return false;
        }
        present++;
        nextMarker = 0;
      }
      Markers markers = records.get(present);
      int from = nextMarker == 0 ? 0 : markers.ends[nextMarker - 1];
      view.wrap(markers.bytes, from, markers.ends[nextMarker++]);
      return true;
    }

    @Override
    public Unfiltered unfiltered() {
      return view;
    }

    @Override
    public void close() {
      // There is nothing to release.
    }
  }
}
