package io.siltstone.files;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The SHA-256 of bytes and texts that are added one after the other. Confined to one thread. */
public final class Sha256 {
  private final MessageDigest digest;

  /** Creates a hash of nothing. */
  public Sha256() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Returns the hash of a text in UTF-8, in hexadecimal. */
  public static String of(String text) {
    return new Sha256().add(text).end();
  }

  /** Adds a text in UTF-8. */
  public Sha256 add(String text) {
    return add(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Adds the remaining bytes of a buffer. */
  public Sha256 add(ByteBuffer bytes) {
    digest.update(bytes);
    return this;
  }

  /** Returns the hash of what was added, in hexadecimal, and begins anew. */
  public String end() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
