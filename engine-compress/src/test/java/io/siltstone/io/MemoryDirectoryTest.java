package io.siltstone.io;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.siltstone.io.contract.DirectoryContract;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class MemoryDirectoryTest extends DirectoryContract {
  @Override
  protected Directory newDirectory() {
    return new MemoryDirectory();
  }

  @Test
  void twoRootsAreTwoFileSystems() throws IOException {
    Directory one = new MemoryDirectory();
    one.create("a", WriteIntent.OTHER).close();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> one.link("a", new MemoryDirectory(), "b"))
        .withMessageContaining("memory:");
  }
}
