package io.siltstone.tools.load;

import io.siltstone.io.WritableFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes the records of a run one behind the other. Closes the file. */
final class RunWriter implements Closeable {
  private final WritableFile file;
  private final ByteBuffer buffer;

  /**
   * @param buffer made before the file is, which would stay open if there were no memory
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
