package io.siltstone.rows;

import io.siltstone.partitioner.PartitionKey;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a read that ended early: its timeout has passed, or another thread has called {@link
 * LiveRows#cancel} or {@code KeyValueIterator.cancel}. One type serves both, since a caller does
 * the same after either: it gives up, or continues from the place that was reached. {@link
 * #timeout()} tells them apart.
 *
 * <p>What the read held has been released when this is thrown. The message names the table, the
 * partition that was reached, and the limit. It is an {@link IllegalStateException} too, as is
 * every call after a read was closed.
 */
public final class QueryCancelledException extends CancellationException {
  private static final long serialVersionUID = 1L;

  private final String table;
  private final byte @Nullable [] key;
  private final long token;
  private final @Nullable Duration timeout;

  /**
   * Creates an exception.
   *
   * @param table keyspace and name of the table
   * @param reached the partition that was reached, which is copied; null if none was
   * @param timeout the limit that has passed; null if the read was cancelled
   * @param read what was read, to end the message with
   * @param cause the cancellation of the step
   */
  public QueryCancelledException(
      String table,
      @Nullable PartitionKey reached,
      @Nullable Duration timeout,
      String read,
      Throwable cause) {
    super(message(table, reached, timeout, read));
    this.table = table;
    this.key = reached == null ? null : reached.toByteArray();
    this.token = reached == null ? 0 : reached.token();
    this.timeout = timeout;
    initCause(cause);
  }

  private static String message(
      String table, @Nullable PartitionKey reached, @Nullable Duration timeout, String read) {
    return "a read of "
        + table
        + (timeout == null ? " was cancelled" : " has taken more than its timeout of " + timeout)
        + (reached == null ? " before it reached a partition" : "; it has reached " + reached)
        + ": "
        + read;
  }

  /** Returns the keyspace and name of the table. */
  public String table() {
    return table;
  }

  /** Returns the partition that was reached, with its token; empty if none was. */
  public Optional<PartitionKey> reached() {
    byte[] bytes = key;
    return bytes == null ? Optional.empty() : Optional.of(PartitionKey.of(bytes.clone(), token));
  }

  /** Returns the timeout that has passed; empty if the read was cancelled by a call. */
  public Optional<Duration> timeout() {
    return Optional.ofNullable(timeout);
  }
}
