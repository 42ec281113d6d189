package io.siltstone.compress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class ContextPoolTest {
  private final List<Context> made = new ArrayList<>();

  private static final class Context implements Closeable {
    private boolean isClosed;

    @Override
    public void close() {
      isClosed = true;
    }
  }

  private Context make() {
    Context context = new Context();
    made.add(context);
    return context;
  }

  private long open() {
    return made.stream().filter(each -> !each.isClosed).count();
  }

  /** Threads whose ids lead to the same place at first, among them. */
  @Test
  void noContextIsMadeWhileOneIsFree() throws Exception {
    try (ContextPool<Context> pool = new ContextPool<>(this::make)) {
      pool.giveBack(pool.take());
      for (int i = 0; i < 20; i++) {
        FutureTask<Context> other =
            new FutureTask<>(
                () -> {
                  Context context = pool.take();
                  pool.giveBack(context);
                  return context;
                });
        Thread thread = new Thread(other);
        thread.start();
        assertThat(other.get()).isSameAs(made.get(0));
        thread.join();
      }
      Context first = pool.take();
      Context second = pool.take();
      assertThat(second).isNotSameAs(first);
      pool.giveBack(first);
      pool.giveBack(second);
      assertThat(List.of(pool.take(), pool.take())).containsExactlyInAnyOrder(first, second);
      assertThat(made).hasSize(2);
      pool.giveBack(first);
      pool.giveBack(second);
    }
    assertThat(open()).isZero();
  }

  @Test
  void theRestIsClosedAndWhatComesBackLater() throws IOException {
    ContextPool<Context> pool = new ContextPool<>(this::make);
    List<Context> taken = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      taken.add(pool.take());
    }
    Context last = taken.remove(0);
    for (Context each : taken) {
      pool.giveBack(each);
    }
    assertThat(open()).isEqualTo(1 + 8);
    pool.close();
    assertThat(open()).isEqualTo(1);
    pool.giveBack(last);
    assertThat(open()).isZero();
  }
}
