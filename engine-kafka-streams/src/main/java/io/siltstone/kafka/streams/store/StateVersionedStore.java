package io.siltstone.kafka.streams.store;

import static java.util.Objects.requireNonNull;

import io.siltstone.kafka.streams.internals.DroppedRecords;
import io.siltstone.kafka.streams.internals.Queries;
import io.siltstone.kafka.streams.table.StateTable;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.query.MultiVersionedKeyQuery;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.query.ResultOrder;
import org.apache.kafka.streams.state.VersionedKeyValueStore;
import org.apache.kafka.streams.state.VersionedRecord;
import org.apache.kafka.streams.state.VersionedRecordIterator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A versioned key-value store: the value of a key at any time within the retention of its history.
 *
 * <p>What is older than the retention is not accepted, and not returned unless it is the latest.
 */
public final class StateVersionedStore extends BaseStore
    implements VersionedKeyValueStore<Bytes, byte[]> {
  private static final Logger LOG = LoggerFactory.getLogger(StateVersionedStore.class);

  private final TimeSegments segments;
  private final VersionedTable versions;
  private volatile @Nullable DroppedRecords dropped;
  private volatile HistorySegments histories = new HistorySegments();

  // The versions of the batch that is being restored.
  private final VersionedTable.RestoreAccess restored = new VersionedTable.RestoreAccess();

  /**
   * Creates a store.
   *
   * @param retention for how many milliseconds of stream time the history is kept
   * @param segmentInterval the time in milliseconds whose versions expire together
   */
  public StateVersionedStore(
      String name, StoreTables tables, long retention, long segmentInterval) {
    super(name, "versioned-" + segmentInterval, StateKeyValueStore.SCOPE, tables);
    segments = new TimeSegments(retention, segmentInterval, true);
    versions = new VersionedTable(segments);
  }

  @Override
  void opened(OpenStore store) {
    dropped = DroppedRecords.of(store.context());
    histories = HistorySegments.of(store);
    // A restore that failed before the store was opened again may have left versions here.
    restored.clear();
  }

  private void drop(String what) {
    DroppedRecords counter = dropped;
    if (counter != null) {
      counter.record();
    }
    LOG.warn("Skipping record for expired {}.", what);
  }

  private boolean hasExpired(long timestamp, OpenStore store) {
    return timestamp < store.streamTime() - segments.retentionMillis();
  }

  // Changes.

  @Override
  public long put(Bytes key, byte @Nullable [] value, long timestamp) {
    requireNonNull(key, "key cannot be null");
    OpenStore store = present();
    store.requireOpen();
    if (hasExpired(timestamp, store)) {
      drop("put");
      store.change(table -> {}); // Its position is reached.
      return PUT_RETURN_CODE_NOT_PUT;
    }
    long[] next = new long[1];
    long streamTime = store.observe(timestamp);
    store.change(
        table ->
            next[0] = versions.put(new Written(table), streamTime, key.get(), value, timestamp));
    return next[0];
  }

  @Override
  public @Nullable VersionedRecord<byte[]> delete(Bytes key, long timestamp) {
    requireNonNull(key, "key cannot be null");
    OpenStore store = present();
    store.requireOpen();
    if (hasExpired(timestamp, store)) {
      drop("delete");
      return null;
    }
    VersionedRecord<byte[]> before = get(key, timestamp);
    put(key, null, timestamp);
    return before;
  }

  private final class Written implements VersionedTable.Access {
    private final StateTable table;

    Written(StateTable table) {
      this.table = table;
    }

    @Override
    public byte @Nullable [] get(byte[] key) throws IOException {
      return table.get(key, false);
    }

    @Override
    public void put(byte[] key, byte @Nullable [] value) throws IOException {
      table.put(key, value);
    }

    @Override
    public void expire(long live) throws IOException {
      long deletable = deletable();
      if (histories.hasBefore(deletable)) {
        table.deleteBefore(VersionedTable.firstKey(deletable));
        histories.removeBefore(deletable);
      }
    }

    @Override
    public HistorySegments segments() {
      return histories;
    }
  }

  private final class Restored implements VersionedTable.Access {
    @Override
    public byte @Nullable [] get(byte[] key) {
      return restored.has(key) ? restored.get(key) : present().get(key, true);
    }

    @Override
    public void put(byte[] key, byte @Nullable [] value) {
      restored.put(key, value);
    }

    @Override
    public void expire(long live) {
      // Done with the records that are restored together.
    }

    @Override
    public HistorySegments segments() {
      return histories;
    }
  }

  @Override
  void restore(ConsumerRecord<byte[], byte[]> record, StateTable.Restore into) throws IOException {
    OpenStore store = present();
    if (!hasExpired(record.timestamp(), store)) {
      long streamTime = store.observe(record.timestamp());
      var unused =
          versions.put(
              new Restored(), streamTime, record.key(), record.value(), record.timestamp());
    }
  }

  @Override
  void afterRestore(StateTable.Restore into) throws IOException {
    long deletable = deletable();
    if (histories.hasBefore(deletable)) {
      into.deleteBefore(VersionedTable.firstKey(deletable));
      histories.removeBefore(deletable);
    }
    restored.writeTo(into);
  }

  /**
   * Returns the first segment that must not be deleted: one that had not expired at the last
   * commit. After a crash, the changelog is read from there again, and a late version ends with a
   * deletion that only the history of such a segment has.
   */
  private long deletable() {
    return segments.firstLive(present().committedStreamTime());
  }

  // Reads.

  @Override
  public @Nullable VersionedRecord<byte[]> get(Bytes key) {
    return get(key, false);
  }

  @Nullable VersionedRecord<byte[]> get(Bytes key, boolean committed) {
    requireNonNull(key, "key cannot be null");
    VersionedTable.Latest latest = latest(key, committed);
    return latest == null ? null : new VersionedRecord<>(latest.value(), latest.from());
  }

  private VersionedTable.@Nullable Latest latest(Bytes key, boolean committed) {
    return VersionedTable.latest(present().get(VersionedTable.latestKey(key.get()), committed));
  }

  @Override
  public @Nullable VersionedRecord<byte[]> get(Bytes key, long asOfTimestamp) {
    return get(key, asOfTimestamp, false);
  }

  @Nullable VersionedRecord<byte[]> get(Bytes key, long time, boolean committed) {
    requireNonNull(key, "key cannot be null");
    OpenStore store = present();
    VersionedTable.Latest latest = latest(key, committed);
    if (latest != null && latest.from() <= time) {
      return new VersionedRecord<>(latest.value(), latest.from());
    }
    if (hasExpired(time, store)) {
      LOG.warn("Returning null for expired get.");
      return null;
    }
    long least = Math.max(firstLive(store), segments.of(Math.max(0, time)));
    HistorySegments present = histories;
    for (long segment = present.last(); segment >= least; segment = present.before(segment)) {
      History history = history(store, segment, key, committed);
      if (history != null) {
        if (history.end() <= time) {
          return null;
        }
        if (history.begin() <= time) {
          int index = history.indexAt(time);
          return record(history, index);
        }
      }
    }
    return null;
  }

  private static @Nullable VersionedRecord<byte[]> record(History history, int index) {
    History.Version version = history.versions().get(index);
    byte[] value = version.value();
    return value == null
        ? null
        : new VersionedRecord<>(value, version.from(), history.endOf(index));
  }

  private @Nullable History history(OpenStore store, long segment, Bytes key, boolean committed) {
    byte[] bytes = store.get(VersionedTable.historyKey(segment, key.get()), committed);
    return bytes == null ? null : History.of(bytes);
  }

  private long firstLive(OpenStore store) {
    return segments.firstLive(store.streamTime());
  }

  @Override
  public VersionedKeyValueStore<Bytes, byte[]> readOnly(IsolationLevel isolationLevel) {
    requireNonNull(isolationLevel, "isolationLevel cannot be null");
    return isolationLevel == IsolationLevel.READ_COMMITTED ? new VersionedView(this) : this;
  }

  /** Answers queries of several versions here, as Kafka does so for its own stores only. */
  @Override
  @SuppressWarnings("unchecked") // the result of this query is an iterator
  public <R> QueryResult<R> query(Query<R> query, PositionBound positionBound, QueryConfig config) {
    if (!(query instanceof MultiVersionedKeyQuery<?, ?> multiple)) {
      return super.query(query, positionBound, config);
    }
    long start = System.nanoTime();
    OpenStore store = present();
    boolean committed = Queries.isOfCommitted(config);
    Position position = store.position(committed);
    int partition = store.context().taskId().partition();
    QueryResult<R> result =
        Queries.isPermitted(position, positionBound, partition)
            ? (QueryResult<R>) QueryResult.forResult(versions(multiple, committed))
            : QueryResult.notUpToBound(position, positionBound, partition);
    if (config.isCollectExecutionInfo()) {
      result.addExecutionInfo(
          "Handled in " + getClass() + " in " + (System.nanoTime() - start) + "ns");
    }
    result.setPosition(position);
    return result;
  }

  private VersionedRecordIterator<byte[]> versions(
      MultiVersionedKeyQuery<?, ?> query, boolean committed) {
    OpenStore store = present();
    Bytes key = (Bytes) query.key();
    long from = query.fromTime().map(Instant::toEpochMilli).orElse(Long.MIN_VALUE);
    long to = query.toTime().map(Instant::toEpochMilli).orElse(Long.MAX_VALUE);
    // The latest first.
    List<VersionedRecord<byte[]>> found = new ArrayList<>();
    VersionedTable.Latest latest = latest(key, committed);
    if (latest != null && latest.from() <= to) {
      found.add(new VersionedRecord<>(latest.value(), latest.from()));
    }
    if (!hasExpired(to, store)) {
      HistorySegments present = histories;
      long least = firstLive(store);
      for (long segment = present.last(); segment >= least; segment = present.before(segment)) {
        History history = history(store, segment, key, committed);
        for (int i = 0; history != null && i < history.versions().size(); i++) {
          VersionedRecord<byte[]> version = record(history, i);
          if (version != null && version.timestamp() <= to && history.endOf(i) > from) {
            found.add(version);
          }
        }
      }
    }
    if (query.resultOrder() == ResultOrder.ASCENDING) {
      Collections.reverse(found);
    }
    return new FoundVersions(found.iterator());
  }
}
