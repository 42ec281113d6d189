package io.siltstone.chunk;

import io.siltstone.io.Directory;
import io.siltstone.io.ForwardingDirectory;
import io.siltstone.io.ForwardingReadableFile;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Counts reads of another directory's files; some may fail. */
class CountingReads extends ForwardingDirectory {
  long reads;
  long bytes;

  CountingReads(Directory inner) {
    super(inner);
  }

  /** Is about to read into the buffer. */
  void beforeRead(ByteBuffer dst) throws IOException {}

  @Override
  public ReadableFile open(String name, ReadIntent intent) throws IOException {
    return new ForwardingReadableFile(super.open(name, intent)) {
      @Override
      public int read(long position, ByteBuffer dst) throws IOException {
        reads++;
        beforeRead(dst);
        int count = super.read(position, dst);
        bytes += count;
        return count;
      }
    };
  }
}
