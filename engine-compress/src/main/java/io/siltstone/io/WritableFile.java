package io.siltstone.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open file that grows at its end.
 *
 * <p>Confined to one thread at a time, but for {@link #sync}, which another thread may call while
 * one writes. Closing does not sync. After a failed {@link #write} or {@link #sync} nothing is
 * assumed of the file's content: every further write or sync throws, naming the first failure; only
 * {@link #close()} is left.
 */
public interface WritableFile extends Closeable {

  /** The full path, for messages. */
  String path();

  /** Bytes in the file: those it had when it was opened, and all written since. */
  long position();

  /** Appends all remaining bytes of {@code src}, whose position advances to its limit. */
  void write(ByteBuffer src) throws IOException;

  /** Makes all bytes written before it was called, and the file's length, durable. */
  void sync() throws IOException;

  /** Closes the file. A second call does nothing. */
  @Override
  void close() throws IOException;
}
