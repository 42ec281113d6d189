package io.siltstone.table;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionKey;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What the caller of a read has in hands. What is behind it serves others once it is closed, so
 * that any use after that is an {@link IllegalStateException}; to close it twice does nothing.
 *
 * <p>Confined to one thread, closed by its opener.
 */
final class OpenCursor implements PartitionCursor {
  private final Closeable ending;
  private final DamageReports damage;
  private @Nullable PartitionCursor cursor;

  /**
   * @param cursor that is shown
   * @param ending closes the cursor and what is under it
   * @param damage is told of steps that fail
   */
  OpenCursor(PartitionCursor cursor, Closeable ending, DamageReports damage) {
    this.cursor = cursor;
    this.ending = ending;
    this.damage = damage;
  }

  private PartitionCursor cursor() {
    PartitionCursor present = cursor;
    if (present == null) {
      throw new IllegalStateException("the cursor is closed");
    }
    return present;
  }

  boolean isClosed() {
    return cursor == null;
  }

  @Override
  public RowEncoding encoding() {
    return cursor().encoding();
  }

  @Override
  public boolean nextPartition() throws IOException {
    try {
      return cursor().nextPartition();
    } catch (IOException e) {
      damage.failed(e);
      throw e;
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
    try {
      return cursor().nextUnfiltered();
    } catch (IOException e) {
      damage.failed(e);
      throw e;
    }
  }

  @Override
  public Unfiltered unfiltered() {
    return cursor().unfiltered();
  }

  @Override
  public void close() throws IOException {
    if (cursor != null) {
      cursor = null;
      ending.close();
    }
  }
}
