package io.siltstone.campaigns.kill;

import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Counters in a mapped file, by which a process records what was acknowledged. A stored counter
 * survives the kill of the process in the next instant, because the page belongs to the operating
 * system.
 */
final class Progress implements Closeable {
  /** Counter of the process's phase; see the constants that begin with {@code IS_}. */
  static final int PHASE = 0;

  /** Counter of completed operations of the sequence. */
  static final int SEQUENCE = 1;

  /** The first of the counters of completed steps of the key-value store's threads. */
  static final int FIRST_THREAD = 2;

  static final long IS_OPENING = 1;
  static final long IS_OPEN = 2;

  private static final int COUNTERS = FIRST_THREAD + PairsStep.THREADS;
  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final FileChannel channel;
  private final ByteBuffer buffer;

  private Progress(FileChannel channel, MappedByteBuffer buffer) {
    this.channel = channel;
    this.buffer = buffer;
  }

  /** Opens the file, and creates it with counters of 0 if it is missing. */
  static Progress open(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    return new Progress(channel, channel.map(MapMode.READ_WRITE, 0, (long) COUNTERS * Long.BYTES));
  }

  long get(int counter) {
    return (long) LONGS.getVolatile(buffer, counter * Long.BYTES);
  }

  void set(int counter, long value) {
    LONGS.setVolatile(buffer, counter * Long.BYTES, value);
  }

  /** Returns the number of acknowledged operations of all kinds. */
  long acknowledged() {
    long sum = 0;
    for (int i = SEQUENCE; i < COUNTERS; i++) {
      sum += get(i);
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
