package io.siltstone.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectWritableFileTest {
  private static final int ALIGNMENT = 4096;
  private static final int BYTES = 2 * ALIGNMENT + 17;

  @TempDir private Path folder;

  @Test
  void theWriterSeesItsPositionWhileAnotherThreadSyncs() throws IOException {
    List<Long> seen = new ArrayList<>();
    LongSupplier[] position = {() -> -1};
    Path path = folder.resolve("file");
    UninterruptibleChannel buffered =
        UninterruptibleChannel.open(
            path,
            () -> FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW));
    UninterruptibleChannel direct =
        UninterruptibleChannel.open(
            path,
            () ->
                new WatchedChannel(
                    FileChannel.open(path, StandardOpenOption.WRITE),
                    () -> seen.add(position[0].getAsLong())));
    try (MemoryBudget budget = PooledMemory.unlimited();
        DirectWritableFile file =
            new DirectWritableFile(
                path, direct, buffered, FileSync.open(path), ALIGNMENT, budget)) {
      position[0] = file::position;
      file.write(ByteBuffer.allocate(BYTES));
      // Blocks are written in here, as a sync behind the writer would.
      file.sync();
      assertThat(seen).isNotEmpty().containsOnly((long) BYTES);
      file.write(ByteBuffer.allocate(ALIGNMENT));
      assertThat(file.position()).isEqualTo(BYTES + ALIGNMENT);
    }
    assertThat(path).hasSize(BYTES + ALIGNMENT);
  }

  /**
   * A write or a sync past the page cache that fails gives an exception that names the file, though
   * that of the system does not, and so does each later call.
   */
  @Test
  void eachFailureNamesTheFile() throws IOException {
    Path path = folder.resolve("file");
    UninterruptibleChannel buffered =
        UninterruptibleChannel.open(
            path,
            () -> FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW));
    IOException broken = new IOException("Input/output error");
    UninterruptibleChannel direct =
        UninterruptibleChannel.open(
            path,
            () ->
                new WatchedChannel(
                    FileChannel.open(path, StandardOpenOption.WRITE),
                    () -> {
                      throw broken;
                    }));
    try (MemoryBudget budget = PooledMemory.unlimited();
        DirectWritableFile file =
            new DirectWritableFile(
                path, direct, buffered, FileSync.open(path), ALIGNMENT, budget)) {
      file.write(ByteBuffer.allocate(BYTES));
      assertThatThrownBy(file::sync)
          .isInstanceOf(IOException.class)
          .hasMessage(
              path + " cannot be written past the page cache at offset 0: Input/output error")
          .hasRootCause(broken);
      assertThatThrownBy(() -> file.write(ByteBuffer.allocate(1)))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(path + " is not used any more after an earlier failure: ")
          .hasMessageContaining("Input/output error")
          .hasRootCause(broken);
      assertThatThrownBy(file::sync)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(path.toString());
    }
  }

  /** What is done after a write by position. */
  private interface AfterWrite {
    void run() throws IOException;
  }

  /** Tells of each write by position, when it has been made. */
  private static final class WatchedChannel extends FileChannel {
    private final FileChannel channel;
    private final AfterWrite written;

    WatchedChannel(FileChannel channel, AfterWrite written) {
      this.channel = channel;
      this.written = written;
    }

    @Override
    public int write(ByteBuffer src, long position) throws IOException {
      int count = channel.write(src, position);
      written.run();
      return count;
    }

    @Override
    public void force(boolean metaData) throws IOException {
      channel.force(metaData);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      channel.close();
    }

    @Override
    public int read(ByteBuffer dst) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] dsts, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer src) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] srcs, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long newPosition) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long size() {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel truncate(long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel src, long position, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer dst, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }
  }
}
