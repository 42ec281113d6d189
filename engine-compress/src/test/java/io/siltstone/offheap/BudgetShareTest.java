package io.siltstone.offheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import org.junit.jupiter.api.Test;

class BudgetShareTest {

  @Test
  void usersShareTheLimitAndAreCountedEach() {
    PooledMemory whole = PooledMemory.withLimit(1000);
    BudgetShare first = new BudgetShare(whole);
    BudgetShare second = new BudgetShare(whole);
    OffHeapBuffer one = first.allocate(MemoryKind.MEMTABLE, 600);
    OffHeapBuffer other = second.allocateAligned(MemoryKind.READ_AHEAD, 200, 64);
    assertThat(first.used()).isEqualTo(600);
    assertThat(first.used(MemoryKind.MEMTABLE)).isEqualTo(600);
    assertThat(first.used(MemoryKind.READ_AHEAD)).isZero();
    assertThat(second.used()).isEqualTo(264);
    assertThat(whole.used()).isEqualTo(864);
    assertThat(first.available()).isEqualTo(136).isEqualTo(second.available());
    assertThat(first.limit()).isEqualTo(1000);
    assertThatThrownBy(() -> second.allocate(MemoryKind.MEMTABLE, 200))
        .isInstanceOf(OutOfBudgetException.class);
    assertThat(second.used()).isEqualTo(264);
    one.close();
    one.close();
    assertThat(first.used()).isZero();
    assertThat(other.bytes().capacity()).isEqualTo(200);
    other.close();
    first.close();
    second.close();
    whole.close();
  }

  @Test
  void closingNamesWhatIsInUse() {
    PooledMemory whole = PooledMemory.withLimit(1000);
    BudgetShare share = new BudgetShare(whole);
    OffHeapBuffer buffer = share.allocate(MemoryKind.BLOOM_FILTER, 10);
    assertThatThrownBy(share::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("BLOOM_FILTER 10");
    assertThatThrownBy(() -> share.allocate(MemoryKind.BLOOM_FILTER, 10))
        .isInstanceOf(IllegalStateException.class);
    buffer.close();
    whole.close();
  }
}
