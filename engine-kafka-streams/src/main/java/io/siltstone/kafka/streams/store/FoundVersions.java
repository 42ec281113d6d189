package io.siltstone.kafka.streams.store;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.kafka.streams.state.VersionedRecord;
import org.apache.kafka.streams.state.VersionedRecordIterator;

/** The versions that a query has found. Confined to one thread. */
final class FoundVersions implements VersionedRecordIterator<byte[]> {
  private final Iterator<VersionedRecord<byte[]>> versions;
  private boolean isClosed;

  FoundVersions(Iterator<VersionedRecord<byte[]>> versions) {
    this.versions = versions;
  }

  @Override
  public boolean hasNext() {
    if (isClosed) {
      throw new IllegalStateException("the iterator is closed");
    }
    return versions.hasNext();
  }

  @Override
  public VersionedRecord<byte[]> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return versions.next();
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
