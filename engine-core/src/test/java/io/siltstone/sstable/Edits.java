package io.siltstone.sstable;

import io.siltstone.chunk.ByteOutput;
import io.siltstone.io.ForwardingWritableFile;
import io.siltstone.io.WritableFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Changes of a stream of bytes, by their positions in the stream as it would be without them. */
final class Edits {
  private final Map<Long, Byte> set = new HashMap<>();
  private final Map<Long, byte[]> insert = new HashMap<>();
  private final Map<Long, Boolean> delete = new HashMap<>();
  private long seen;

  Edits set(long position, int value) {
    set.put(position, (byte) value);
    return this;
  }

  Edits set(long position, byte[] values) {
    for (int i = 0; i < values.length; i++) {
      set(position + i, values[i]);
    }
    return this;
  }

  Edits insert(long position, byte... values) {
    insert.put(position, values);
    return this;
  }

  Edits delete(long from, long to) {
    for (long position = from; position < to; position++) {
      delete.put(position, true);
    }
    return this;
  }

  /** The next bytes of the stream, changed. */
  private byte[] apply(byte[] bytes, int offset, int length) {
    ByteArrayOutputStream changed = new ByteArrayOutputStream();
    for (int i = 0; i < length; i++, seen++) {
      changed.writeBytes(insert.getOrDefault(seen, new byte[0]));
      if (!delete.containsKey(seen)) {
        changed.write(set.getOrDefault(seen, bytes[offset + i]));
      }
    }
    return changed.toByteArray();
  }

  /** An output before which the changes are made. */
  ByteOutput before(ByteOutput output) {
    return new ByteOutput() {
      @Override
      public long position() {
        return output.position();
      }

      @Override
      public void write(byte[] src, int offset, int length) throws IOException {
        byte[] changed = apply(src, offset, length);
        output.write(changed, 0, changed.length);
      }

      @Override
      public void write(byte value) throws IOException {
        write(new byte[] {value}, 0, 1);
      }
    };
  }

  /** A file before which the changes are made. */
  WritableFile before(WritableFile file) {
    return new ForwardingWritableFile(file) {
      @Override
      public void write(ByteBuffer src) throws IOException {
        byte[] bytes = new byte[src.remaining()];
        src.get(bytes);
        super.write(ByteBuffer.wrap(apply(bytes, 0, bytes.length)));
      }
    };
  }
}
