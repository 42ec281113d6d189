package io.siltstone.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.MemoryDirectory;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class TableLockTest {
  private final MemoryDirectory table = new MemoryDirectory();

  @Test
  void isHeldByOneAndLeavesNothing() throws IOException {
    TableLock lock = TableLock.take(table);
    assertThat(table.files()).containsExactly("siltstone.lock");
    assertThatThrownBy(() -> TableLock.take(table))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("memory: cannot be locked")
        .hasMessageContaining("siltstone.lock is locked");
    lock.close();
    assertThat(table.files()).isEmpty();
    TableLock.take(table).close();
  }
}
