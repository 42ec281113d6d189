package io.siltstone.commitlog;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Second names, or copies, of complete segments in another directory. Confined to one thread. */
final class Archive {
  private static final String TEMPORARY = ".tmp";
  private static final int COPY_BYTES = 256 << 10;

  private final Directory source;
  private final Directory target;

  Archive(Directory source, Directory target) {
    this.source = source;
    this.target = target;
  }

  /** Makes sure that the archive has the complete segment of that name, durably. */
  void add(String name) throws IOException {
    if (target.exists(name)) {
      // From a run that was interrupted: a link is whole, and a copy gets its name when it is.
      requireSameLength(name);
    } else {
      linkOrCopy(name);
    }
    target.sync();
  }

  private void requireSameLength(String name) throws IOException {
    long there = target.length(name);
    long here = source.length(name);
    if (there != here) {
      throw new IOException(
          target.path() + "/" + name + " has " + there + " bytes, the segment itself " + here);
    }
  }

  private void linkOrCopy(String name) throws IOException {
    try {
      source.link(name, target, name);
    } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
      // Another file system, or one without links.
      try {
        copy(name);
      } catch (IOException failed) {
        failed.addSuppressed(e);
        throw failed;
      }
    }
  }

  private void copy(String name) throws IOException {
    String temporary = name + TEMPORARY;
    if (target.exists(temporary)) {
      target.delete(temporary);
    }
    try (ReadableFile from = source.open(name, ReadIntent.SCAN);
        WritableFile to = target.create(temporary, WriteIntent.OTHER)) {
      ByteBuffer bytes = ByteBuffer.allocate(COPY_BYTES);
      while (to.position() < from.length()) {
        int count = from.read(to.position(), bytes.clear());
        if (count <= 0) {
          throw new IOException(
              from.path() + " ends at " + to.position() + " of " + from.length() + " bytes");
        }
        to.write(bytes.flip());
      }
      to.sync();
    }
    target.rename(temporary, name);
  }
}
