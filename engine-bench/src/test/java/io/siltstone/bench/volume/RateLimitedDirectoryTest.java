package io.siltstone.bench.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimitedDirectoryTest {
  private static final double NANOS = 1e9;
  private static final double BURST = ReadRateLimiter.BURST_MILLIS / 1e3;

  private final AtomicLong time = new AtomicLong(-5);

  private ReadRateLimiter gate(VolumeLimits limits) {
    return new ReadRateLimiter(limits, time::get, time::addAndGet);
  }

  private double seconds() {
    return (time.get() + 5) / NANOS;
  }

  private static Directory files(int bytes) throws IOException {
    Directory directory = new MemoryDirectory();
    try (WritableFile file = directory.create("a", WriteIntent.OTHER)) {
      file.write(ByteBuffer.allocate(bytes));
    }
    return directory;
  }

  @Test
  void smallReadsAreHeldToTheirCount() throws IOException {
    Directory throttled =
        new RateLimitedDirectory(files(16 * 1024), gate(new VolumeLimits(1_000, 100 << 20, 0)));
    try (ReadableFile file = throttled.open("a", ReadIntent.POINT_READ)) {
      assertThat(file.length()).isEqualTo(16 * 1024);
      for (int i = 0; i < 2_000; i++) {
        assertThat(file.read(0, ByteBuffer.allocate(4096))).isEqualTo(4096);
      }
    }
    assertThat(seconds()).isCloseTo(2, within(BURST));
  }

  @Test
  void largeReadsAreHeldToTheirBytesAndCountAsSeveral() throws IOException {
    Directory throttled =
        new RateLimitedDirectory(files(1 << 20), gate(new VolumeLimits(0, 10 << 20, 0)));
    try (ReadableFile file = throttled.open("a", ReadIntent.SCAN)) {
      for (int i = 0; i < 50; i++) {
        assertThat(file.read(0, new byte[1 << 20], 0, 1 << 20)).isEqualTo(1 << 20);
      }
    }
    assertThat(seconds()).isCloseTo(5, within(0.1 + BURST));

    double before = seconds();
    ReadRateLimiter counts = gate(new VolumeLimits(4, 0, 0));
    for (int i = 0; i < 10; i++) {
      counts.pass(1 << 20);
    }
    assertThat(seconds() - before).isCloseTo(9, within(BURST));
  }

  @Test
  void allDirectoriesShareOneGateAndIdleTimeIsNotSaved() throws IOException {
    MemoryDirectory below = new MemoryDirectory();
    RateLimitedDirectory throttled =
        new RateLimitedDirectory(below, gate(new VolumeLimits(10, 0, 0)));
    Directory child = throttled.directory("child");
    try (WritableFile file = child.create("b", WriteIntent.OTHER)) {
      file.write(ByteBuffer.allocate(10));
    }
    child.link("b", throttled, "c");
    assertThat(throttled.files()).containsExactly("c");
    time.addAndGet((long) (100 * NANOS));
    double before = seconds();
    try (ReadableFile b = child.open("b", ReadIntent.INDEX);
        ReadableFile c = throttled.open("c", ReadIntent.INDEX)) {
      for (int i = 0; i < 10; i++) {
        assertThat(b.read(0, ByteBuffer.allocate(20))).isEqualTo(10);
        assertThat(c.read(0, ByteBuffer.allocate(20))).isEqualTo(10);
      }
    }
    assertThat(seconds() - before).isCloseTo(1.9, within(BURST));
  }

  @Test
  void whoIsInterruptedStaysSo() {
    ReadRateLimiter gate =
        new ReadRateLimiter(
            new VolumeLimits(1, 0, 0),
            time::get,
            nanos -> {
              throw new InterruptedException();
            });
    assertThatThrownBy(
            () -> {
              gate.pass(1);
              gate.pass(1);
            })
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThatThrownBy(() -> new VolumeLimits(-1, 0, 0)).hasMessageContaining("-1 reads/s");
  }
}
