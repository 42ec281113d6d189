package io.siltstone.backup;

import io.siltstone.files.FileCopy;
import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The SHA-256 of a content that passes by. */
final class ContentHash implements FileCopy.Step {
  private final MessageDigest digest;

  ContentHash() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      // Every Java platform has it.
      throw new IllegalStateException(e);
    }
  }

  /** Returns the hash of a text in UTF-8. */
  static String of(String text) {
    ContentHash hash = new ContentHash();
    hash.take(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    return hash.end();
  }

  /** Returns the hash of the first bytes of a file. */
  static String of(ReadableFile file, long length, Pace pace) throws IOException {
    ContentHash hash = new ContentHash();
    FileCopy.read(
        file,
        length,
        bytes -> {
          pace.passed(bytes.remaining());
          hash.take(bytes);
        });
    return hash.end();
  }

  @Override
  public void take(ByteBuffer bytes) {
    digest.update(bytes);
  }

  /** Returns the hash of what was taken, in hexadecimal, and begins anew. */
  String end() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
