package io.siltstone.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.siltstone.event.EngineListener;
import io.siltstone.event.ReadOnlyException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The first failure ends all changes, and is told once. */
class HealthTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final List<EngineListener.EngineReadOnly> told = new ArrayList<>();
  private final EngineListener listener =
      new EngineListener() {
        @Override
        public void engineReadOnly(EngineReadOnly event) {
          told.add(event);
        }
      };

  @Test
  void theFirstFailureIsToldOnce() {
    Health health = new Health("/db", listener);
    IllegalStateException first = new IllegalStateException("broken");
    health.failUntold("It is not known whether %s was altered", "ks.t", first);
    assertThat(told).isEmpty();
    assertThat(health.isGood()).isFalse();
    health.fail("%s failed", "The commit log", new IllegalStateException("later"));
    health.notifyListener();
    assertThat(told).hasSize(1);
    assertThat(told.get(0).cause()).isSameAs(first);
    assertThat(told.get(0).reason())
        .isEqualTo("It is not known whether ks.t was altered: broken")
        .isEqualTo(health.reason());
    assertThatThrownBy(health::requireGood)
        .isInstanceOf(ReadOnlyException.class)
        .hasMessageContaining("/db is read-only until it is opened again: It is not known")
        .hasCause(first);
  }

  /** A full heap is what most needs noting. */
  @Test
  void toNoteAFailureAllocatesNothing() {
    Throwable cause = new OutOfMemoryError("Java heap space");
    Health[] healths = new Health[2000];
    for (int i = 0; i < healths.length; i++) {
      healths[i] = new Health("/db", listener);
    }
    for (int i = 0; i < 1000; i++) {
      healths[i].failUntold("%s failed", "it", cause);
    }
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 1000; i < healths.length; i++) {
      healths[i].failUntold("%s failed", "it", cause);
    }
    // What the measuring itself allocates, not what each failure does.
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(1000);
    assertThat(healths[1999].isGood()).isFalse();
  }
}
