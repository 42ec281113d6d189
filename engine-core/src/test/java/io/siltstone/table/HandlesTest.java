package io.siltstone.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.event.EngineListener;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class HandlesTest {
  private static final int ALWAYS = 1000;
  private static final int MORE = 6400;

  /** Fails if its text is made: hot paths open handles that are closed in time. */
  private static final Object UNTOLD =
      new Object() {
        @Override
        public String toString() {
          throw new AssertionError("the text is made though nothing is reported");
        }
      };

  private static final Closeable NOTHING = () -> {};

  @Test
  void firstHandlesAndSomeOfTheOthersAreReportedWithTheStackThatOpenedThem() {
    ConcurrentLinkedQueue<EngineListener.HandleLeaked> leaked = new ConcurrentLinkedQueue<>();
    Handles handles =
        new Handles(
            GuardedListener.of(
                new EngineListener() {
                  @Override
                  public void handleLeaked(HandleLeaked event) {
                    leaked.add(event);
                  }
                }));
    List<Closeable> kept = new ArrayList<>();
    for (int i = 0; i < ALWAYS + MORE; i++) {
      Closeable handle = new ByteHandle();
      kept.add(handle);
      handles.lend("handle ", i, handle, NOTHING);
    }
    handles.close();
    assertThat(leaked).hasSameSizeAs(kept);
    int others = 0;
    for (EngineListener.HandleLeaked event : leaked) {
      int number = Integer.parseInt(event.handle().substring("handle ".length()));
      boolean isTraced = event.openedAt().getStackTrace().length > 0;
      if (number < ALWAYS) {
        assertThat(isTraced).as(event.handle()).isTrue();
      } else if (isTraced) {
        others++;
      }
      assertThat(event.openedAt())
          .hasMessageStartingWith(event.handle() + " was opened ")
          .hasMessageEndingWith(isTraced ? "here" : "one in 32");
    }
    // 200 are expected, with a standard deviation of 14.
    assertThat(others).isBetween(80, 320);
  }

  /** Not a lambda, of which there would be only one. */
  private static final class ByteHandle implements Closeable {
    @Override
    public void close() {}
  }

  @Test
  void textOfAHandleThatIsClosedInTimeIsNotMade() {
    Handles handles = new Handles(GuardedListener.of(new EngineListener() {}));
    for (int i = 0; i < ALWAYS; i++) {
      handles.lend("handle ", i, NOTHING, NOTHING).end();
    }
    // One in 32 is traced, without its text.
    for (int i = 0; i < MORE; i++) {
      handles.lend("handle ", UNTOLD, NOTHING, NOTHING).end();
    }
    assertThat(handles.count()).isZero();
  }
}
