package io.siltstone.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open file that grows at its end.
 *
 * <p>Confined to one thread at a time, except for {@link #sync}, which another thread may call
 * during a write. Closing does not sync. After a failed {@link #write} or {@link #sync} nothing is
 * assumed of the file's content: every further write or sync throws, naming the first failure; only
 * {@link #close()} is left.
 */
public interface WritableFile extends Closeable {

  /** Returns the full path, for messages. */
  String path();

  /**
   * Returns the length of the file in bytes: the length when it was opened, and all bytes written
   * since.
   */
  long position();

  /** Appends all remaining bytes of {@code src}, whose position advances to its limit. */
  void write(ByteBuffer src) throws IOException;

  /** Makes all bytes that were written before the call durable, and the file's length. */
  void sync() throws IOException;

  /** Closes the file. A second call does nothing. */
  @Override
  void close() throws IOException;
}
