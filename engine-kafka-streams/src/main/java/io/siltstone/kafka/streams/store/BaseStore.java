package io.siltstone.kafka.streams.store;

import io.siltstone.kafka.streams.internals.Queries;
import io.siltstone.kafka.streams.internals.Restoring;
import io.siltstone.kafka.streams.internals.StoreMetrics;
import io.siltstone.kafka.streams.table.StateTable;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.jspecify.annotations.Nullable;

/**
 * The base of all kinds of state stores, with their life, commits, restores and queries. A store is
 * opened by {@code init}, may be opened again after it was closed, and is changed by the thread of
 * its task only.
 */
abstract class BaseStore implements StateStore {
  private final String name;
  private String format;
  private final String scope;
  private final StoreTables tables;
  private volatile @Nullable OpenStore open;
  private @Nullable StateStoreContext context;
  private @Nullable StoreMetrics metrics;

  /**
   * @param format what the entries are
   * @param scope of the metrics, that of the supplier
   */
  BaseStore(String name, String format, String scope, StoreTables tables) {
    this.name = name;
    this.format = format;
    this.scope = scope;
    this.tables = tables;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    format = formatIn(root, format);
    OpenStore opened = OpenStore.open(name, format, tables, context);
    open = opened;
    this.context = context;
    try {
      opened(opened);
      StoreMetrics added = new StoreMetrics(context, scope, name);
      metrics = added;
      Gauges.add(opened, added);
      Restoring.register(context, root, this::restoreAll);
    } catch (RuntimeException e) {
      try {
        close();
      } catch (RuntimeException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
  }

  /**
   * Returns what the entries are, before the store is opened.
   *
   * @param root the outermost of the wrappers around the store
   * @param usual what they are unless a wrapper expects something else
   */
  String formatIn(StateStore root, String usual) {
    return usual;
  }

  /** Called when the store was opened, before it is used. */
  void opened(OpenStore store) {}

  private void restoreAll(Collection<ConsumerRecord<byte[], byte[]>> records) {
    OpenStore present = open;
    if (present == null) {
      present = reopen();
    }
    beforeRestore(records);
    present.restore(records, this::restore, this::afterRestore);
  }

  // Kafka's contract of stores asks a restore to open a store again that was closed.
  private OpenStore reopen() {
    StateStoreContext known = context;
    if (known == null) {
      return present();
    }
    OpenStore opened = OpenStore.open(name, format, tables, known);
    open = opened;
    opened(opened);
    return opened;
  }

  /** Called before records of the changelog are restored together. */
  void beforeRestore(Iterable<ConsumerRecord<byte[], byte[]>> records) {}

  /** Called when records were restored together, before they are written. */
  void afterRestore(StateTable.Restore into) throws IOException {}

  /** Takes a record of the changelog into the table. */
  abstract void restore(ConsumerRecord<byte[], byte[]> record, StateTable.Restore into)
      throws IOException;

  /**
   * Returns the open store.
   *
   * @throws InvalidStateStoreException if it was closed, or not opened
   */
  final OpenStore present() {
    OpenStore present = open;
    if (present == null) {
      throw new InvalidStateStoreException("Store " + name + " is currently closed");
    }
    return present;
  }

  @Override
  public final boolean persistent() {
    return true;
  }

  @Override
  public final boolean isOpen() {
    OpenStore present = open;
    return present != null && present.isOpen();
  }

  @Override
  public final void close() {
    OpenStore present = open;
    StoreMetrics added = metrics;
    if (added != null) {
      metrics = null;
      added.remove();
    }
    if (present != null) {
      open = null;
      present.close();
    }
  }

  @Override
  public final void commit(Map<TopicPartition, Long> changelogOffsets) {
    OpenStore present = open;
    if (present != null) {
      present.commit(changelogOffsets);
    }
  }

  @Override
  public final @Nullable Long committedOffset(TopicPartition partition) {
    return present().committedOffset(partition);
  }

  @Override
  @SuppressWarnings("deprecation") // asked by Kafka; false would mean a checkpoint file
  public final boolean managesOffsets() {
    return true;
  }

  @Override
  public final long approximateNumUncommittedBytes() {
    OpenStore present = open;
    return present == null ? 0 : present.uncommittedBytes();
  }

  @Override
  public final Position getPosition() {
    return present().position(false);
  }

  @Override
  public <R> QueryResult<R> query(Query<R> query, PositionBound positionBound, QueryConfig config) {
    OpenStore present = present();
    return Queries.run(
        query,
        positionBound,
        config,
        this,
        present.position(Queries.isOfCommitted(config)),
        present.context());
  }
}
