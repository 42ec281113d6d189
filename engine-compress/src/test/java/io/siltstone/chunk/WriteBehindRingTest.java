package io.siltstone.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriteBehindRingTest {
  private static final class Bytes implements WriteBehindRing.Batch {
    private final byte[] bytes = new byte[1 << 20];
    private boolean isEncoded;

    @Override
    public void encode(int length) {
      isEncoded = length <= bytes.length;
    }

    @Override
    public void close() {}
  }

  /** A queue of flushes may be long, and what waits at its end for a lane that was closed. */
  @Test
  void callsThatCameTooLateKeepNothingOfALaneThatIsClosed() throws Exception {
    List<Runnable> queue = new ArrayList<>();
    List<WeakReference<Bytes>> batches = new ArrayList<>();
    List<Boolean> stored = new ArrayList<>();
    try (WriteBehindRing<Bytes> lane =
        new WriteBehindRing<>(
            () -> {
              Bytes batch = new Bytes();
              batches.add(new WeakReference<>(batch));
              return batch;
            },
            batch -> stored.add(batch.isEncoded),
            queue::add)) {
      for (int i = 0; i < 10; i++) {
        lane.next();
        lane.handOver(i);
      }
      lane.drain();
    }
    assertThat(stored).hasSize(10).containsOnly(true);
    assertThat(queue).hasSize(WriteBehindRing.BATCHES);
    assertThat(batches).hasSize(WriteBehindRing.BATCHES);
    for (WeakReference<Bytes> batch : batches) {
      for (int i = 0; i < 100 && !batch.refersTo(null); i++) {
        System.gc();
      }
      assertThat(batch.refersTo(null)).as("the batch is gone").isTrue();
    }
    queue.forEach(Runnable::run);
    assertThat(stored).hasSize(10);
  }
}
