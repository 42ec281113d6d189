package io.siltstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.IOException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

class RefusingDirectoryTest {
  private final RefusingDirectory directory = new RefusingDirectory(new MemoryDirectory());

  @Test
  void whatIsOpenIsNeitherDeletedNorRenamedNorReplaced() throws IOException {
    Directory child = directory.directory("child");
    try (WritableFile writer = child.create("a", WriteIntent.OTHER)) {
      assertRefused(() -> child.delete("a"));
      assertThat(writer.position()).isZero();
    }
    child.create("b", WriteIntent.OTHER).close();
    try (ReadableFile one = child.open("a", ReadIntent.SCAN)) {
      ReadableFile other = child.open("a", ReadIntent.SCAN);
      other.close();
      other.close();
      assertRefused(() -> child.rename("a", "c"));
      assertRefused(() -> child.rename("b", "a"));
      assertRefused(() -> child.truncate("a", 0));
      assertThat(one.length()).isZero();
    }
    assertThat(directory.refused()).isEqualTo(4);
    child.rename("a", "c");
    child.delete("c");
    assertThat(child.files()).containsExactly("b");
  }

  private interface Call {
    void run() throws IOException;
  }

  private static void assertRefused(Call call) {
    assertThatThrownBy(call::run)
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("child/a")
        .hasMessageContaining("is open");
  }
}
