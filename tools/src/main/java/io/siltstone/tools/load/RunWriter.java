package io.siltstone.tools.load;

import io.siltstone.io.WritableFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes records to the file of a sorted run, one after the other. Closes the file. */
final class RunWriter implements Closeable {
  private final WritableFile file;
  private final ByteBuffer buffer;

  /**
   * @param buffer allocated before the file is created, which would stay open if memory were short
   */
  RunWriter(ByteBuffer buffer, WritableFile file) {
    this.buffer = buffer;
    this.file = file;
  }

  void add(byte[] bytes, int record) throws IOException {
    int length = RecordFormat.length(bytes, record);
    if (length > buffer.remaining()) {
      flush();
      if (length > buffer.capacity()) {
        file.write(ByteBuffer.wrap(bytes, record, length));
        return;
      }
    }
    buffer.put(bytes, record, length);
  }

  void flush() throws IOException {
    buffer.flip();
    file.write(buffer);
    buffer.clear();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
