package io.siltstone.table.read;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The cursor that a read returns to its caller. What it reads from is pooled and serves other reads
 * after {@link #close}; so any later use is an {@link IllegalStateException}, and closing it twice
 * does nothing. After a step has failed, its position is undefined, and each further step fails,
 * too.
 *
 * <p>Confined to one thread, closed by its opener.
 */
final class OpenCursor implements PartitionCursor {
  private final Closeable ending;
  private final CorruptionReports damage;
  private @Nullable PartitionCursor cursor;
  private @Nullable Throwable failure;

  /**
   * @param cursor whose content is shown
   * @param ending closes the cursor and what it reads from
   * @param damage receives failures of steps
   */
  OpenCursor(PartitionCursor cursor, Closeable ending, CorruptionReports damage) {
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
    PartitionCursor present = steppable();
    try {
      return present.nextPartition();
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
      throw e;
    }
  }

  private PartitionCursor steppable() throws IOException {
    PartitionCursor present = cursor();
    if (failure != null) {
      throw new IOException("a read failed before: " + failure, failure);
    }
    return present;
  }

  private void fail(Throwable e) {
    failure = e;
    damage.failed(e);
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
    PartitionCursor present = steppable();
    try {
      return present.nextUnfiltered();
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
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
