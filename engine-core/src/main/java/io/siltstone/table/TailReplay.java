package io.siltstone.table;

import io.siltstone.commitlog.segment.RecordType;
import io.siltstone.commitlog.segment.ReplayVisitor;
import io.siltstone.commitlog.segment.TableReplay;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.memtable.Memtable;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The replay of what was appended to the commit log since the last refresh of a database that is
 * open for reading only. Changes go to the memtables that are being read, hidden from readers until
 * {@link #publish} shows those of a table at once. Rows in another encoding than those of the
 * active memtable get a memtable of their own, which is shown in place of the active one.
 *
 * <p>If this fails, the changes in the active memtables stay hidden, and the memtables have to be
 * replaced by the next refresh.
 *
 * <p>Used once, by one thread.
 */
final class TailReplay implements ReplayVisitor, Closeable {
  private final Services services;
  private final TableStores stores;
  private final LoggedTimestamps times = new LoggedTimestamps(null);
  private final Map<UUID, Tail> tails = new LinkedHashMap<>();

  /** Thrown if the log has something that has to be replayed from its beginning. */
  static final class StoppedException extends IOException {
    private static final long serialVersionUID = 1L;

    StoppedException(String message) {
      super(message);
    }
  }

  /** The changes of one table. */
  private static final class Tail {
    private final TableStore store;
    private final Memtable target;
    // Whether the target is not among the memtables of the table yet.
    private boolean isOwn;

    Tail(TableStore store, Memtable target, boolean isOwn) {
      this.store = store;
      this.target = target;
      this.isOwn = isOwn;
    }

    void publish() {
      if (isOwn) {
        store.memory().append(target);
        isOwn = false;
      } else {
        target.publish();
      }
    }
  }

  TailReplay(Services services, TableStores stores) {
    this.services = services;
    this.stores = stores;
  }

  @Override
  public TableReplay table(UUID id, byte[] header) throws IOException {
    @Nullable TableStore store = stores.findById(id).orElse(null);
    if (store == null) {
      // The table was dropped: all that exist are open.
      return (type, position, bytes, offset, length) -> {};
    }
    RowEncoding logged = LoggedTableHeader.decode(header);
    Memtable active = store.memtables().active();
    PartitionUpdate view =
        new PartitionUpdate(active.encoding().isSameAs(logged) ? active.encoding() : logged);
    return (type, position, bytes, offset, length) -> {
      if (type != RecordType.MUTATION) {
        throw new StoppedException(store + " was truncated");
      }
      view.wrap(bytes, offset, length, services.partitioner());
      if (view.isOfKeyRange()) {
        // A memtable cannot hide it from readers until the rest is there.
        throw new StoppedException("a range of keys of " + store + " was deleted");
      }
      store.timestamps().note(times.read(view));
      target(store, view.encoding()).apply(view);
    };
  }

  private Memtable target(TableStore store, RowEncoding encoding) throws StoppedException {
    Tail tail = tails.get(store.id().id());
    if (tail == null) {
      tail = begin(store, encoding);
      tails.put(store.id().id(), tail);
    }
    if (!tail.target.encoding().isSameAs(encoding)) {
      throw new StoppedException(store + " was logged in two encodings");
    }
    return tail.target;
  }

  private static Tail begin(TableStore store, RowEncoding encoding) {
    Memtable active = store.memtables().active();
    if (!active.encoding().isSameAs(encoding)) {
      return new Tail(store, store.newMemtable(encoding, true), true);
    }
    active.hold();
    return new Tail(store, active, false);
  }

  /** Returns the tables that have changed. */
  Collection<TableStore> changed() {
    return tails.values().stream().map(tail -> tail.store).toList();
  }

  /** Shows the changes to readers. The caller holds the locks of all shards of the tables. */
  void publish() {
    tails.values().forEach(Tail::publish);
  }

  /** Releases what was not published. */
  @Override
  public void close() {
    for (Tail tail : tails.values()) {
      if (tail.isOwn) {
        tail.target.release();
      }
    }
  }
}
