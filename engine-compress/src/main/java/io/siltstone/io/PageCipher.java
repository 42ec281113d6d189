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
  private ByteBuffer pages = ByteBuffer.allocate(FIRST_PAGES * EncryptedFormat.PAGE_BYTES);

  PageCipher() {
    try {
      cipher = Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES-GCM", e);
    }
  }

  /** Returns the buffer for stored pages, empty, and with room for that many bytes. */
  ByteBuffer pages(int bytes) {
    if (pages.capacity() < bytes) {
      pages = ByteBuffer.allocate(EncryptedFormat.MOST_PAGES * EncryptedFormat.PAGE_BYTES);
    }
    return pages.clear();
  }

  /**
   * Appends a frame to a buffer.
   *
   * @param position of the content in the file's content
   * @param bytes has the content at its beginning
   */
  void seal(
      ByteBuffer out,
      SecretKey key,
      long position,
      byte[] bytes,
      int length,
      boolean isEnd,
      byte[] nonce) {
    int at = out.position();
    out.putLong(position).putInt(isEnd ? length | EncryptedFormat.END : length).put(nonce);
    out.putInt(checksum(out.array(), at));
    try {
      cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD(out.array(), at, EncryptedFormat.HEAD_BYTES);
      cipher.doFinal(bytes, 0, length, out.array(), at + EncryptedFormat.HEAD_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM failed", e);
    }
    out.position(at + length + EncryptedFormat.OVERHEAD);
  }

  /** Returns whether there is the intact head of a frame, which is complete before a limit. */
  boolean isFrame(ByteBuffer in, int at, int limit) {
    if (limit - at <= EncryptedFormat.OVERHEAD) {
      return false;
    }
    int length = length(in, at);
    return length >= 1
        && length <= Math.min(EncryptedFormat.CONTENT_BYTES, limit - at - EncryptedFormat.OVERHEAD)
        && in.getLong(at) >= 0
        && in.getInt(at + EncryptedFormat.CHECKSUM_AT) == checksum(in.array(), at);
  }

  /** Returns the length of a frame's content. */
  static int length(ByteBuffer in, int at) {
    return in.getInt(at + Long.BYTES) & ~EncryptedFormat.END;
  }

  /** Returns whether the file may end after a frame. */
  static boolean isEnd(ByteBuffer in, int at) {
    return (in.getInt(at + Long.BYTES) & EncryptedFormat.END) != 0;
  }

  private int checksum(byte[] bytes, int at) {
    crc.reset();
    crc.update(bytes, at, EncryptedFormat.CHECKSUM_AT);
    return (int) crc.getValue();
  }

  /**
   * Decrypts a frame whose head is intact.
   *
   * @return whether it is authentic; if so, {@link #content} has what it contains
   */
  boolean open(ByteBuffer in, int at, SecretKey key) {
    byte[] bytes = in.array();
    int length = length(in, at);
    try {
      cipher.init(
          Cipher.DECRYPT_MODE,
          key,
          new GCMParameterSpec(
              TAG_BITS, bytes, at + EncryptedFormat.NONCE_AT, EncryptedFormat.NONCE_BYTES));
      cipher.updateAAD(bytes, at, EncryptedFormat.HEAD_BYTES);
      cipher.doFinal(
          bytes, at + EncryptedFormat.HEAD_BYTES, length + EncryptedFormat.TAG_BYTES, content, 0);
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
