package io.siltstone.backup;

import io.siltstone.files.FileCopy;
import io.siltstone.files.Sha256;
import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The SHA-256 of a content that passes by. */
final class ContentHash implements FileCopy.Step {
  private final Sha256 hash = new Sha256();

  /** Returns the hash of a text in UTF-8. */
  static String of(String text) {
    return Sha256.of(text);
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
    hash.add(bytes);
  }

  /** Returns the hash of what was taken, in hexadecimal, and begins anew. */
  String end() {
    return hash.end();
  }
}
