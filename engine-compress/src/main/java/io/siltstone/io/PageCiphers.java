package io.siltstone.io;

import io.siltstone.threads.StripedPool;

/**
 * The pool of {@link PageCipher}s of all files of an encrypted directory and of its children. Safe
 * for all threads.
 */
final class PageCiphers {
  private final StripedPool<PageCipher> pool = new StripedPool<>();

  /** Returns a cipher for the calling thread, which gives it back. */
  PageCipher take() {
    PageCipher pooled = pool.take();
    return pooled != null ? pooled : new PageCipher();
  }

  void giveBack(PageCipher cipher) {
    pool.giveBack(cipher);
  }
}
