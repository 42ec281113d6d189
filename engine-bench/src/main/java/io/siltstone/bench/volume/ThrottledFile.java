package io.siltstone.bench.volume;

import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file whose reads pass a gate. Threads and ownership are those of the file. */
final class ThrottledFile implements ReadableFile {
  private final ReadableFile file;
  private final ReadGate gate;

  ThrottledFile(ReadableFile file, ReadGate gate) {
    this.file = file;
    this.gate = gate;
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public long length() {
    return file.length();
  }

  @Override
  public int read(long position, ByteBuffer dst) throws IOException {
    gate.pass(dst.remaining());
    return file.read(position, dst);
  }

  @Override
  public int read(long position, byte[] dst, int offset, int length) throws IOException {
    gate.pass(length);
    return file.read(position, dst, offset, length);
  }

  @Override
  public int alignment() {
    return file.alignment();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
