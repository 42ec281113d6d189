package io.siltstone;

import io.siltstone.io.Directory;
import io.siltstone.io.ForwardingDirectory;
import io.siltstone.io.ForwardingReadableFile;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;

/**
 * Counts the reads of data files below a directory, and holds one of them up until it is let go.
 * Safe for all threads.
 */
final class HeldReads {
  private int count;
  private int heldAt = Integer.MAX_VALUE;
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch letGo = new CountDownLatch(1);

  /** The directory, with reads that are counted. */
  Directory in(Directory directory) {
    return new Counted(directory);
  }

  synchronized int count() {
    return count;
  }

  /** Holds up a read: the first one if {@code behind} is 0. */
  synchronized void hold(int behind) {
    heldAt = count + behind;
  }

  /** Returns when that read has come. */
  void awaitHeld() throws InterruptedException {
    held.await();
  }

  void letGo() {
    letGo.countDown();
  }

  private synchronized boolean isHeld() {
    return count++ == heldAt;
  }

  private void read() throws IOException {
    if (isHeld()) {
      held.countDown();
      try {
        letGo.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while it was held up", e);
      }
    }
  }

  private final class Counted extends ForwardingDirectory {
    Counted(Directory inner) {
      super(inner);
    }

    @Override
    public Directory directory(String name) throws IOException {
      return new Counted(super.directory(name));
    }

    @Override
    public ReadableFile open(String name, ReadIntent intent) throws IOException {
      ReadableFile file = super.open(name, intent);
      return name.endsWith("-Data.db") ? new CountedFile(file) : file;
    }
  }

  private final class CountedFile extends ForwardingReadableFile {
    CountedFile(ReadableFile inner) {
      super(inner);
    }

    @Override
    public int read(long position, ByteBuffer dst) throws IOException {
      HeldReads.this.read();
      return super.read(position, dst);
    }
  }
}
