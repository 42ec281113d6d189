package io.siltstone.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.files.TextFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is read whole, from files that give less than was asked for. */
class ReadableFileTest {
  private static final String NAME = "file";

  private final Directory disk = new MemoryDirectory();

  @BeforeEach
  void write() throws IOException {
    TextFile.replace(disk, NAME, "0123456789");
  }

  /** A directory whose files give so many bytes at a time, and end after some. */
  private Directory giving(int atMost, int end) {
    return new ForwardingDirectory(disk) {
      @Override
      public ReadableFile open(String name, ReadIntent intent) throws IOException {
        return new ForwardingReadableFile(super.open(name, intent)) {
          @Override
          public int read(long position, ByteBuffer dst) throws IOException {
            int limit = dst.limit();
            int count = (int) Math.min(Math.min(atMost, dst.remaining()), end - position);
            dst.limit(dst.position() + count);
            super.read(position, dst);
            dst.limit(limit);
            return count;
          }
        };
      }
    };
  }

  @Test
  void whatComesInPiecesIsPutTogether() throws IOException {
    assertThat(TextFile.read(giving(3, 10), NAME)).isEqualTo("0123456789");
  }

  @Test
  void whatDoesNotComeIsAnErrorThatNamesThePlace() {
    assertThatThrownBy(() -> TextFile.read(giving(3, 5), NAME))
        .isInstanceOfSatisfying(
            UnreadableFileException.class, e -> assertThat(e.offset()).isEqualTo(5))
        .hasMessageContaining(disk.path() + "/" + NAME)
        .hasMessageContaining("ends here, 5 bytes before");
  }
}
