package io.siltstone.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** Several locks are held together or not at all. */
class OrderedLocksTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final ReentrantLock first = new ReentrantLock();
  private final ReentrantLock second = new ReentrantLock();
  private final ReentrantLock third = new ReentrantLock();

  @Test
  void allAreHeldUntilTheyAreGivenBack() {
    OrderedLocks locks = new OrderedLocks(List.of(first, second, third));
    locks.lock();
    assertThat(List.of(first, second, third)).allMatch(ReentrantLock::isHeldByCurrentThread);
    locks.unlock();
    assertThat(List.of(first, second, third)).noneMatch(ReentrantLock::isLocked);
  }

  @Test
  void noneStaysHeldIfOneCannotBeTaken() {
    OutOfMemoryError full = new OutOfMemoryError("no room for who waits");
    ReentrantLock refusing =
        new ReentrantLock() {
          @Override
          public void lock() {
            throw full;
          }
        };
    OrderedLocks locks = new OrderedLocks(List.of(first, second, refusing, third));
    assertThatThrownBy(locks::lock).isSameAs(full);
    assertThat(List.of(first, second, third)).noneMatch(ReentrantLock::isLocked);
  }

  @Test
  void takingAndGivingBackAllocatesNothing() {
    OrderedLocks locks = new OrderedLocks(List.of(first, second, third));
    takeOften(locks);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    takeOften(locks);
    // What the measuring itself allocates, not what each of the rounds does.
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 10);
  }

  private static void takeOften(OrderedLocks locks) {
    for (int i = 0; i < 1000; i++) {
      locks.lock();
      locks.unlock();
    }
  }
}
