package io.siltstone.io;

import io.siltstone.io.EncryptedDirectory.KeyException;
import io.siltstone.io.EncryptedDirectory.KeyException.Reason;
import io.siltstone.io.EncryptedDirectory.Keys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.zip.CRC32;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The header of an encrypted file, and the key of the file that is derived from it.
 *
 * <pre>
 *   magic        8     "SLTCRYPT"
 *   version      int   1
 *   log          byte  1 if the file was created as a log, whose tail may be torn; else 0
 *   key id       byte, bytes   length, 1 to 128, and UTF-8
 *   salt         32    random
 *   (zeros)
 *   proof        32    at 476: HMAC-SHA256 of all before it, by a key derived like that of the file
 *   checksum     int   CRC32 of all before it; tells damage from a wrong key
 * </pre>
 *
 * <p>Keys are derived from the master key as HKDF does (RFC 5869): HMAC-SHA256 by the salt, then by
 * the result of a text that names the purpose. Immutable.
 */
final class EncryptedHeader {
  /** The most bytes of a key's id. */
  static final int MAX_ID_BYTES = 128;

  private static final byte[] MAGIC = "SLTCRYPT".getBytes(StandardCharsets.US_ASCII);
  private static final int VERSION = 1;
  private static final int VERSION_AT = MAGIC.length;
  private static final int LOG_AT = VERSION_AT + Integer.BYTES;
  private static final int ID_AT = LOG_AT + 1;
  private static final int SALT_BYTES = 32;
  private static final int PROOF_BYTES = 32;
  private static final int CHECKSUM_AT = EncryptedFormat.HEADER_BYTES - Integer.BYTES;
  private static final int PROOF_AT = CHECKSUM_AT - PROOF_BYTES;
  private static final int LEAST_KEY_BYTES = 16;
  private static final int MOST_KEY_BYTES = 64;
  private static final String ALGORITHM = "HmacSHA256";

  private final byte[] bytes;
  private final boolean isMissing;
  private final SecretKey fileKey;

  private EncryptedHeader(byte[] bytes, boolean isMissing, SecretKey fileKey) {
    this.bytes = bytes;
    this.isMissing = isMissing;
    this.fileKey = fileKey;
  }

  /** Returns the header of a new file, with the current key and a new salt. */
  static EncryptedHeader create(String path, Keys keys, boolean isLog) throws IOException {
    String id = keys.current();
    byte[] idBytes = id.getBytes(StandardCharsets.UTF_8);
    if (idBytes.length < 1 || idBytes.length > MAX_ID_BYTES) {
      throw new IllegalArgumentException(
          "key id '" + id + "' has " + idBytes.length + " bytes, allowed 1 to " + MAX_ID_BYTES);
    }
    byte[] bytes = new byte[EncryptedFormat.HEADER_BYTES];
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    ByteBuffer out = ByteBuffer.wrap(bytes);
    out.put(MAGIC).putInt(VERSION).put((byte) (isLog ? 1 : 0));
    out.put((byte) idBytes.length).put(idBytes).put(salt);
    byte[] derived = extract(masterKey(path, id, keys), salt);
    out.position(PROOF_AT).put(proof(derived, bytes)).putInt(checksum(bytes));
    return new EncryptedHeader(bytes, false, fileKey(derived));
  }

  /**
   * Reads the header of a file and checks that the key fits.
   *
   * @return a header that {@link #isMissing}, if the file is empty or its creation was interrupted
   */
  static EncryptedHeader read(ReadableFile file, Keys keys) throws IOException {
    String path = file.path();
    byte[] bytes = new byte[EncryptedFormat.HEADER_BYTES];
    int count = file.read(0, bytes, 0, bytes.length);
    boolean isMarked = Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    if (count == 0 || (!isMarked && file.length() == EncryptedFormat.HEADER_BYTES)) {
      // A power loss may leave a file without its content, or a sector that was never written.
      return new EncryptedHeader(bytes, true, new SecretKeySpec(new byte[1], "none"));
    }
    if (!isMarked) {
      throw new UnsupportedFileException(
          path, "is not encrypted, but lies in an encrypted directory", null);
    }
    if (count < bytes.length) {
      throw new CorruptFileException(
          path, 0, "the header has " + count + " bytes, expected " + bytes.length);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int version = in.getInt(VERSION_AT);
    if (in.getInt(CHECKSUM_AT) != checksum(bytes)) {
      throw new CorruptFileException(path, 0, "the header of the encrypted file is damaged");
    }
    if (version != VERSION) {
      throw new UnsupportedFileException(
          path, "is encrypted in version " + version + ", supported " + VERSION, null);
    }
    int length = Byte.toUnsignedInt(bytes[ID_AT]);
    if (length < 1 || length > MAX_ID_BYTES) {
      throw new CorruptFileException(
          path, ID_AT, "key id of " + length + " bytes, allowed 1 to " + MAX_ID_BYTES);
    }
    String id = new String(bytes, ID_AT + 1, length, StandardCharsets.UTF_8);
    int saltAt = ID_AT + 1 + length;
    byte[] salt = Arrays.copyOfRange(bytes, saltAt, saltAt + SALT_BYTES);
    byte[] derived = extract(masterKey(path, id, keys), salt);
    byte[] found = Arrays.copyOfRange(bytes, PROOF_AT, CHECKSUM_AT);
    if (!MessageDigest.isEqual(found, proof(derived, bytes))) {
      throw new KeyException(path, id, Reason.WRONG);
    }
    return new EncryptedHeader(bytes, false, fileKey(derived));
  }

  /**
   * Returns the id of the key in the header with which a file begins; null if it does not begin
   * with one.
   */
  static @Nullable String keyId(byte[] head) {
    if (head.length < EncryptedFormat.HEADER_BYTES
        || !Arrays.equals(head, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      return null;
    }
    int length = Math.min(Byte.toUnsignedInt(head[ID_AT]), MAX_ID_BYTES);
    return new String(head, ID_AT + 1, length, StandardCharsets.UTF_8);
  }

  private static SecretKey masterKey(String path, String id, Keys keys) throws IOException {
    SecretKey key = keys.key(id);
    if (key == null) {
      throw new KeyException(path, id, Reason.UNKNOWN);
    }
    byte[] encoded = key.getEncoded();
    if (encoded == null || encoded.length < LEAST_KEY_BYTES || encoded.length > MOST_KEY_BYTES) {
      throw new IllegalArgumentException(
          "the key '"
              + id
              + "' has "
              + (encoded == null ? "no encoded" : String.valueOf(encoded.length))
              + " bytes, allowed "
              + LEAST_KEY_BYTES
              + " to "
              + MOST_KEY_BYTES);
    }
    try {
      return new SecretKeySpec(encoded, ALGORITHM);
    } finally {
      Arrays.fill(encoded, (byte) 0);
    }
  }

  private static byte[] extract(SecretKey master, byte[] salt) {
    // As in HKDF, the salt is the key of the first HMAC.
    byte[] encoded = master.getEncoded();
    try {
      return hmac(salt, encoded);
    } finally {
      Arrays.fill(encoded, (byte) 0);
    }
  }

  private static SecretKey fileKey(byte[] derived) {
    return new SecretKeySpec(expand(derived, "siltstone pages"), "AES");
  }

  private static byte[] proof(byte[] derived, byte[] header) {
    return hmac(expand(derived, "siltstone header"), Arrays.copyOf(header, PROOF_AT));
  }

  private static byte[] expand(byte[] derived, String purpose) {
    byte[] text = (purpose + '\1').getBytes(StandardCharsets.US_ASCII);
    return hmac(derived, text);
  }

  private static byte[] hmac(byte[] key, byte[] text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + ALGORITHM, e);
    }
  }

  private static int checksum(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, CHECKSUM_AT);
    return (int) crc.getValue();
  }

  /** Returns the bytes of the header, for writing them. */
  ByteBuffer bytes() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  /** Returns whether the file has no header, and no content. */
  boolean isMissing() {
    return isMissing;
  }

  /** Returns whether the file was created as a log, so that a part of it may be torn. */
  boolean isLog() {
    return bytes[LOG_AT] != 0 && !isMissing;
  }

  /** Returns the key of the file's pages. */
  SecretKey fileKey() {
    return fileKey;
  }
}
