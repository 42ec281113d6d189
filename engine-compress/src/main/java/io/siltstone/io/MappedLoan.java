package io.siltstone.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * Lends bytes of a {@link MappedFile} in place, to be read by code that cannot survive a page that
 * the operating system does not supply: native decompressors, and checksums.
 *
 * <p>Therefore a few bytes of each page are copied out first, as {@link MappedCopy} does, so that a
 * page beyond the end of a truncated file or on a bad sector is an {@link UnreadableFileException}
 * here. A page that disappears in the microseconds after that ends the process: the file would have
 * to be truncated in that moment, or its page be evicted and then unreadable.
 *
 * <p>Confined to one thread. Allocates a view for each segment of the file when it is first needed.
 */
final class MappedLoan implements ReadableFile.Loan {
  // No page is smaller.
  private static final int PAGE_BYTES = 4096;
  private static final int PROBE_BYTES = MappedCopy.LEAST_BULK_BYTES;

  private final MappedFile file;
  private final @Nullable ByteBuffer[] views;
  private final byte[] probe = new byte[PROBE_BYTES];
  private final ByteBuffer probeView = ByteBuffer.wrap(probe);

  MappedLoan(MappedFile file, int segments) {
    this.file = file;
    this.views = new @Nullable ByteBuffer[segments];
  }

  @Override
  public @Nullable ByteBuffer begin(long position, int length) throws IOException {
    int from = MappedFile.indexOf(position);
    if (length <= 0 || position < 0 || length > file.length() - position) {
      return null;
    }
    int number = MappedFile.segmentOf(position);
    if (number != MappedFile.segmentOf(position + length - 1)) {
      return null;
    }
    if (!file.tryAcquire()) {
      throw new ClosedChannelException();
    }
    boolean isLent = false;
    try {
      ByteBuffer segment = file.segment(number);
      requireReadable(segment, position, from, length);
      ByteBuffer view = views[number];
      if (view == null) {
        view = segment.duplicate();
        views[number] = view;
      }
      view.limit(from + length).position(from);
      isLent = true;
      return view;
    } finally {
      if (!isLent) {
        file.release();
      }
    }
  }

  private void requireReadable(ByteBuffer segment, long position, int from, int length)
      throws UnreadableFileException {
    for (int at = from & -PAGE_BYTES; at < from + length; at += PAGE_BYTES) {
      int count = Math.min(PROBE_BYTES, segment.limit() - at);
      boolean isReadable =
          count == PROBE_BYTES
              ? MappedCopy.copy(segment, at, probe, 0, PROBE_BYTES)
              : MappedCopy.copy(segment, at, probeView, 0, count);
      if (!isReadable) {
        throw file.unreadable(position);
      }
    }
  }

  @Override
  public void end() {
    file.release();
  }
}
