package io.siltstone.commitlog.segment;

import io.siltstone.files.FileCopy;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The archive of a commit log: hard links to, or copies of, its complete segments in another
 * directory. Confined to one thread.
 */
final class Archive {
  private static final String TEMPORARY = ".tmp";
  private static final int COMPARED_BYTES = 256 << 10;

  private final Directory source;
  private final Directory target;

  Archive(Directory source, Directory target) {
    this.source = source;
    this.target = target;
  }

  /**
   * Ensures that the archive durably contains a complete segment.
   *
   * @throws IOException if it has another file of that name, or if the segment cannot be copied
   */
  void add(String name) throws IOException {
    if (!target.exists(name)) {
      linkOrCopy(name);
    } else if (!isWhole(name)) {
      copy(name);
    }
    target.sync();
  }

  /** Ensures that there is a durable copy of a segment. */
  void addCopy(String name) throws IOException {
    if (!target.exists(name)) {
      copy(name);
    }
    target.sync();
  }

  /**
   * Returns whether the archive's file, left by an earlier run, is the complete segment. A link is
   * complete, and a copy gets its name only when it is. The file may be longer than the segment if
   * that run lost power after it had begun another segment: opening the log then cut off the record
   * that names the other segment, and the copy must lose it, too.
   */
  private boolean isWhole(String name) throws IOException {
    long there = target.length(name);
    long here = source.length(name);
    if (there < here || (there > here && !beginsWithSegment(name))) {
      throw new IOException(
          target.path() + "/" + name + " has " + there + " bytes, the segment itself " + here);
    }
    return there == here;
  }

  private boolean beginsWithSegment(String name) throws IOException {
    ByteBuffer expected = ByteBuffer.allocate(COMPARED_BYTES);
    ByteBuffer found = ByteBuffer.allocate(COMPARED_BYTES);
    try (ReadableFile segment = source.open(name, ReadIntent.SCAN);
        ReadableFile copy = target.open(name, ReadIntent.SCAN)) {
      for (long at = 0; at < segment.length(); at += expected.limit()) {
        int count = (int) Math.min(COMPARED_BYTES, segment.length() - at);
        segment.readFully(at, expected.clear().limit(count));
        copy.readFully(at, found.clear().limit(count));
        if (!expected.flip().equals(found.flip())) {
          return false;
        }
      }
    }
    return true;
  }

  private void linkOrCopy(String name) throws IOException {
    try {
      source.link(name, target, name);
    } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
      // The archive is on another file system, or on one without links.
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
    FileCopy.copy(source, name, target, temporary, bytes -> {});
    target.rename(temporary, name);
  }
}
