package io.siltstone.sstable.check;

import io.siltstone.io.ForwardingWritableFile;
import io.siltstone.io.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A writable index file whose bytes are parsed before they are written. Closes the file it wraps.
 */
final class ObservedFile extends ForwardingWritableFile {
  private final StreamParser parser;

  ObservedFile(WritableFile file, StreamParser parser) {
    super(file);
    this.parser = parser;
  }

  @Override
  public void write(ByteBuffer src) throws IOException {
    int length = src.remaining();
    if (src.hasArray() && src.arrayOffset() + src.position() == 0) {
      parser.accept(src.array(), length);
    } else {
      byte[] copy = new byte[length];
      src.get(src.position(), copy);
      parser.accept(copy, length);
    }
    super.write(src);
  }
}
