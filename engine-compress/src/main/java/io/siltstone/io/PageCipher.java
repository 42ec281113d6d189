package io.siltstone.io;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.zip.CRC32;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Encrypts and decrypts frames of pages, with the memory for it. Heap arrays, since the JDK's
 * cipher copies from off-heap memory into new arrays at every call. Confined to one thread at a
 * time.
 */
final class PageCipher {
  private static final int TAG_BITS = 8 * EncryptedFormat.TAG_BYTES;
  private static final int FIRST_PAGES = 18;

  private final Cipher cipher;
  private final CRC32 crc = new CRC32();
  private final byte[] content = new byte[EncryptedFormat.CONTENT_BYTES];
  private byte[] stored = new byte[FIRST_PAGES * EncryptedFormat.PAGE_BYTES];
  private ByteBuffer pages = ByteBuffer.wrap(stored);

  PageCipher() {
    try {
      cipher = Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES-GCM", e);
    }
  }

  /**
   * Returns the buffer for stored pages, empty, and with room for that many bytes. The other
   * methods work on what it has.
   */
  ByteBuffer pages(int bytes) {
    if (pages.capacity() < bytes) {
      stored = new byte[EncryptedFormat.MOST_PAGES * EncryptedFormat.PAGE_BYTES];
      pages = ByteBuffer.wrap(stored);
    }
    return pages.clear();
  }

  /**
   * Appends a frame to the buffer.
   *
   * @param position of the content in the file's content
   * @param bytes has the content at its beginning
   */
  void seal(SecretKey key, long position, byte[] bytes, int length, boolean isEnd, byte[] nonce) {
    int at = pages.position();
    pages.putLong(position).putInt(isEnd ? length | EncryptedFormat.END : length).put(nonce);
    pages.putInt(checksum(at));
    try {
      cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD(stored, at, EncryptedFormat.HEAD_BYTES);
      cipher.doFinal(bytes, 0, length, stored, at + EncryptedFormat.HEAD_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM failed", e);
    }
    pages.position(at + length + EncryptedFormat.OVERHEAD);
  }

  /** Returns whether there is the intact head of a frame, which is complete before a limit. */
  boolean isFrame(int at, int limit) {
    if (limit - at <= EncryptedFormat.OVERHEAD) {
      return false;
    }
    int length = length(at);
    return length >= 1
        && length <= Math.min(EncryptedFormat.CONTENT_BYTES, limit - at - EncryptedFormat.OVERHEAD)
        && pages.getLong(at) >= 0
        && pages.getInt(at + EncryptedFormat.CHECKSUM_AT) == checksum(at);
  }

  /** Returns the position of a frame's content in the content of the file. */
  long position(int at) {
    return pages.getLong(at);
  }

  /** Returns the length of a frame's content. */
  int length(int at) {
    return pages.getInt(at + Long.BYTES) & ~EncryptedFormat.END;
  }

  /** Returns whether the file may end after a frame. */
  boolean isEnd(int at) {
    return (pages.getInt(at + Long.BYTES) & EncryptedFormat.END) != 0;
  }

  private int checksum(int at) {
    crc.reset();
    crc.update(stored, at, EncryptedFormat.CHECKSUM_AT);
    return (int) crc.getValue();
  }

  /**
   * Decrypts a frame whose head is intact.
   *
   * @return whether it is authentic; if so, {@link #content} has what it contains
   */
  boolean open(int at, SecretKey key) {
    int length = length(at);
    try {
      cipher.init(
          Cipher.DECRYPT_MODE,
          key,
          new GCMParameterSpec(
              TAG_BITS, stored, at + EncryptedFormat.NONCE_AT, EncryptedFormat.NONCE_BYTES));
      cipher.updateAAD(stored, at, EncryptedFormat.HEAD_BYTES);
      cipher.doFinal(
          stored, at + EncryptedFormat.HEAD_BYTES, length + EncryptedFormat.TAG_BYTES, content, 0);
      return true;
    } catch (AEADBadTagException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM failed", e);
    }
  }

  /** Returns the array that has the content of the frame that was opened last. */
  byte[] content() {
    return content;
  }
}
