package io.siltstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class CountingDirectoryTest {
  private final CountingDirectory disk = new CountingDirectory(new MemoryDirectory());

  @Test
  void operationsAndBytesAreCountedByKindAndFile() throws IOException {
    Files.write(disk, "nb-1-big-Data.db", new byte[1_000], true);
    Files.write(disk.directory("child"), "nb-2-big-Data.db", new byte[500], true);
    Files.write(disk, "nb-1-big-Index.db", new byte[10], false);
    try (WritableFile file = disk.append("nb-1-big-Index.db")) {
      file.write(ByteBuffer.allocate(5));
    }
    try (ReadableFile file = disk.open("nb-1-big-Data.db", ReadIntent.SCAN)) {
      file.read(900, ByteBuffer.allocate(300));
      file.read(0, new byte[50], 10, 40);
      file.read(1_000, new byte[50], 0, 50);
    }
    disk.sync();
    disk.rename("nb-1-big-Index.db", "moved");

    assertThat(disk.count(Operation.CREATE)).isEqualTo(3);
    assertThat(disk.count(Operation.CREATE, "*-Data.db")).isEqualTo(2);
    assertThat(disk.count(Operation.CREATE, "child/*")).isEqualTo(1);
    assertThat(disk.bytes(Operation.WRITE)).isEqualTo(1_515);
    assertThat(disk.bytes(Operation.WRITE, "*-Index.db")).isEqualTo(15);
    assertThat(disk.count(Operation.WRITE, "*-Index.db")).isEqualTo(2);
    assertThat(disk.count(Operation.READ)).isEqualTo(3);
    assertThat(disk.bytes(Operation.READ)).isEqualTo(140);
    assertThat(disk.count(Operation.SYNC)).isEqualTo(2);
    assertThat(disk.count(Operation.SYNC_DIRECTORY)).isEqualTo(1);
    assertThat(disk.count(Operation.RENAME, "moved")).isEqualTo(1);
    assertThat(disk.report())
        .contains("nb-1-big-Data.db read: 3, 140 bytes\n", ". sync directory: 1\n");
  }

  @Test
  void whatFailedIsNotCounted() {
    assertThatIOException().isThrownBy(() -> disk.delete("none"));
    assertThat(disk.count(Operation.DELETE)).isZero();
  }

  @Test
  void countingBeginsAnewForOpenFilesToo() throws IOException {
    Files.write(disk, "file", new byte[100], false);
    Directory child = disk.directory("child");
    try (ReadableFile file = disk.open("file", ReadIntent.SCAN)) {
      file.read(0, ByteBuffer.allocate(10));
      disk.reset();
      assertThat(disk.report()).isEmpty();
      file.read(0, ByteBuffer.allocate(10));
      Files.write(child, "file", new byte[1], false);
    }
    assertThat(disk.bytes(Operation.READ)).isEqualTo(10);
    assertThat(disk.bytes(Operation.WRITE)).isEqualTo(1);
    assertThat(disk.count(Operation.OPEN)).isZero();
  }
}
