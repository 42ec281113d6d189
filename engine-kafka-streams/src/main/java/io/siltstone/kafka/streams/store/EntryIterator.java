package io.siltstone.kafka.streams.store;

import io.siltstone.kafka.streams.internals.ClosingIterator;
import io.siltstone.kafka.streams.table.StateCursor;
import java.util.NoSuchElementException;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/** An iterator of Kafka over the entries that a cursor shows. Confined to one thread. */
final class EntryIterator implements ClosingIterator<Bytes, byte[]> {
  private final OpenStore store;
  private final StateCursor cursor;
  private boolean isClosed;
  private boolean isAhead;
  private boolean isAtEnd;
  private Runnable closing = () -> {};

  /** Takes over the cursor. */
  EntryIterator(OpenStore store, StateCursor cursor) {
    this.store = store;
    this.cursor = cursor;
  }

  @Override
  public boolean hasNext() {
    if (isClosed) {
      throw new InvalidStateStoreException("the iterator is closed");
    }
    if (!isAhead && !isAtEnd) {
      isAhead = store.next(cursor);
      isAtEnd = !isAhead;
    }
    return isAhead;
  }

  @Override
  public Bytes peekNextKey() {
    requireNext();
    return Bytes.wrap(cursor.key());
  }

  @Override
  public KeyValue<Bytes, byte[]> next() {
    requireNext();
    isAhead = false;
    return KeyValue.pair(Bytes.wrap(cursor.key()), cursor.value());
  }

  private void requireNext() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
  }

  @Override
  public void onClose(Runnable closeCallback) {
    closing = closeCallback;
  }

  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      try {
        store.close(cursor);
      } finally {
        closing.run();
      }
    }
  }
}
