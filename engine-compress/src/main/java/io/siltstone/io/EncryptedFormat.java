package io.siltstone.io;

/**
 * The format of an encrypted file: a header, then pages of {@value #PAGE_BYTES} bytes, the last of
 * which may be shorter.
 *
 * <pre>
 *   header            512 bytes, one sector; see EncryptedHeader
 *   page, any number
 *     frame, one or more
 *       position      long   of its first byte in the content
 *       length        int    of its content, 1 to 4096; the highest bit is set if the file may end
 *                            after it
 *       nonce         12     random bytes of the opening (8), number of the frame in it (int)
 *       checksum      int    CRC32 of the frame so far
 *       content       length bytes, encrypted
 *       tag           16     of the content and of all before it
 *     zeros           fewer than 45, if no frame has room there
 * </pre>
 *
 * <p>A page that is written at once is one frame of 4,096 bytes. What is written and handed over in
 * smaller parts, such as records of a log, becomes a frame per part. Nothing is ever overwritten
 * and no nonce used twice, as each opening of a file for writing has random bytes of its own, and
 * each file its own key. A page begins with a frame, so that what follows a damaged frame is found.
 */
final class EncryptedFormat {
  /** Length of the header, in bytes. */
  static final int HEADER_BYTES = 512;

  /** Greatest content of a frame and of a page, in bytes. */
  static final int CONTENT_BYTES = 4096;

  static final int NONCE_AT = 12;
  static final int NONCE_BYTES = 12;
  static final int CHECKSUM_AT = NONCE_AT + NONCE_BYTES;
  static final int HEAD_BYTES = CHECKSUM_AT + Integer.BYTES;
  static final int TAG_BYTES = 16;

  /** The length of a frame without its content, in bytes. */
  static final int OVERHEAD = HEAD_BYTES + TAG_BYTES;

  static final int PAGE_BYTES = CONTENT_BYTES + OVERHEAD;

  /** The most pages that are read or written in one call: more than 256 KiB, however aligned. */
  static final int MOST_PAGES = 66;

  /** The bit of a frame's length which says that the file may end after it. */
  static final int END = 1 << 31;

  private EncryptedFormat() {}

  /** Returns where a page is in the file. */
  static long pageStart(long page) {
    return HEADER_BYTES + page * PAGE_BYTES;
  }

  /** Returns the number of pages, whole or begun, in a file of that length. */
  static long pages(long storedLength) {
    return Math.max(0, storedLength - HEADER_BYTES + PAGE_BYTES - 1) / PAGE_BYTES;
  }
}
