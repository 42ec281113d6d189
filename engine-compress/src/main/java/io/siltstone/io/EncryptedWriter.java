package io.siltstone.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Appends to an encrypted file. A file of a flush or a compaction is written in whole pages, the
 * last of which waits for more until the file is synced or closed; any other one has all that was
 * written when {@link #write} returns, as the operating system must have it then.
 */
final class EncryptedWriter implements WritableFile {
  private final WritableFile stored;
  private final EncryptedHeader header;
  private final PageCiphers ciphers;
  private final @Nullable Runnable whenClosed;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock, as another thread may sync. The nonce begins with random bytes and ends
  // with the number of the frame.
  private final ByteBuffer nonce = ByteBuffer.allocate(EncryptedFormat.NONCE_BYTES);
  private final byte[] pending = new byte[EncryptedFormat.CONTENT_BYTES];
  private int pendingBytes;
  private int frames;
  private int pageAt;
  private boolean isClosed;
  private @Nullable IOException failure;

  private long position;

  /**
   * Takes over the stored file, which has its header and is written at the end of the layout.
   *
   * @param whenClosed is run after the file was closed, if it is written in whole pages; else null
   */
  EncryptedWriter(
      WritableFile stored,
      EncryptedHeader header,
      EncryptedLayout layout,
      PageCiphers ciphers,
      @Nullable Runnable whenClosed) {
    this.stored = stored;
    this.header = header;
    this.ciphers = ciphers;
    this.whenClosed = whenClosed;
    this.position = layout.length();
    long storedBytes = layout.storedEnd() - EncryptedFormat.HEADER_BYTES;
    this.pageAt = (int) (storedBytes % EncryptedFormat.PAGE_BYTES);
    byte[] random = new byte[EncryptedFormat.NONCE_BYTES - Integer.BYTES];
    new SecureRandom().nextBytes(random);
    nonce.put(random);
  }

  @Override
  public String path() {
    return stored.path();
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void write(ByteBuffer src) throws IOException {
    lock.lock();
    try {
      requireUsable();
      PageCipher cipher = ciphers.take();
      ByteBuffer out = cipher.pages(EncryptedFormat.MOST_PAGES * EncryptedFormat.PAGE_BYTES);
      while (src.hasRemaining()) {
        int room = room() - pendingBytes;
        if (room == 0) {
          seal(out, false, cipher);
          room = room();
        }
        int count = Math.min(room, src.remaining());
        src.get(pending, pendingBytes, count);
        pendingBytes += count;
        position += count;
      }
      if (whenClosed == null && pendingBytes > 0) {
        seal(out, true, cipher);
      }
      handOver(out);
      ciphers.giveBack(cipher);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the most content that the next frame can have. */
  private int room() {
    int left = EncryptedFormat.PAGE_BYTES - pageAt - EncryptedFormat.OVERHEAD;
    return left > 0 ? left : EncryptedFormat.CONTENT_BYTES;
  }

  private void seal(ByteBuffer out, boolean isEnd, PageCipher cipher) throws IOException {
    if (out.remaining() < EncryptedFormat.PAGE_BYTES + EncryptedFormat.OVERHEAD) {
      handOver(out);
    }
    int left = EncryptedFormat.PAGE_BYTES - pageAt;
    if (left <= EncryptedFormat.OVERHEAD) {
      for (int i = 0; i < left; i++) {
        out.put((byte) 0);
      }
      pageAt = 0;
    }
    if (frames == -1) {
      throw failed(new IOException(path() + " has too many parts: copy the file"));
    }
    nonce.putInt(EncryptedFormat.NONCE_BYTES - Integer.BYTES, frames);
    frames++;
    cipher.seal(
        header.fileKey(), position - pendingBytes, pending, pendingBytes, isEnd, nonce.array());
    pageAt = (pageAt + pendingBytes + EncryptedFormat.OVERHEAD) % EncryptedFormat.PAGE_BYTES;
    pendingBytes = 0;
  }

  private void handOver(ByteBuffer out) throws IOException {
    out.flip();
    if (out.hasRemaining()) {
      try {
        stored.write(out);
      } catch (IOException e) {
        throw failed(e);
      }
    }
    out.clear();
  }

  /** Hands over the page that waits for more. */
  private void handOverPending() throws IOException {
    if (pendingBytes > 0) {
      PageCipher cipher = ciphers.take();
      ByteBuffer out = cipher.pages(2 * EncryptedFormat.PAGE_BYTES);
      seal(out, true, cipher);
      handOver(out);
      ciphers.giveBack(cipher);
    }
  }

  @Override
  public void sync() throws IOException {
    if (whenClosed != null) {
      lock.lock();
      try {
        requireUsable();
        handOverPending();
      } finally {
        lock.unlock();
      }
    }
    // Not under the lock: writes go on meanwhile.
    stored.sync();
  }

  private IOException failed(IOException e) {
    failure = e;
    return e;
  }

  private void requireUsable() throws IOException {
    if (failure != null) {
      throw new IOException(
          path() + " is not used any more after an earlier failure: " + failure, failure);
    }
    if (isClosed) {
      throw new ClosedFileException(path());
    }
  }

  @Override
  public void close() throws IOException {
    lock.lock();
    try (stored) {
      if (!isClosed && failure == null) {
        isClosed = true;
        handOverPending();
      }
    } finally {
      lock.unlock();
      if (whenClosed != null) {
        whenClosed.run();
      }
    }
  }

  /** Returns the path. */
  @Override
  public String toString() {
    return path();
  }
}
