package io.siltstone.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.bytes.Vint;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnfilteredTest {
  private static final long BASE = 1_000_000;
  private static final long BEFORE_BASE = 5;
  private static final long WITHIN_REACH = BASE + 7;
  private static final long BEYOND_REACH = BASE + Integer.MAX_VALUE + 1L;
  private static final int PREVIOUS_SIZE = 11;

  private final RowEncoding encoding =
      new RowEncoding(
          new SerializationHeader(
              CqlTypes.INT, List.of(), List.of(), List.of(), new EncodingStats(0, BASE, 0)),
          true);

  /** Source: Cassandra {@code SerializationHeader}: the size is of 64 bits, the time of 32. */
  @Test
  void aMarkerIsReadWhateverItsTimesCountInItsSize() throws IOException {
    long[] times = {BEFORE_BASE, WITHIN_REACH, BEYOND_REACH};
    for (long end : times) {
      for (long start : times) {
        byte[] bytes = boundary(end, start);
        Unfiltered marker =
            new Unfiltered(encoding, (index, reason) -> new IOException(index + ": " + reason));
        marker.wrap(bytes, 0, bytes.length);
        assertThat(marker.deletionTimestamp()).isEqualTo(1);
        assertThat(marker.deletionLocalTime()).isEqualTo(asRead(end));
        assertThat(marker.openTimestamp()).isEqualTo(2);
        assertThat(marker.openLocalTime()).isEqualTo(asRead(start));
        assertThat(marker.isSizeShort()).isEqualTo(end == BEYOND_REACH || start == BEYOND_REACH);
      }
    }
  }

  private static long asRead(long time) {
    return time == BEYOND_REACH ? DeletionTime.INVALID_DELETION_TIME : time;
  }

  /** As Cassandra writes it, which counts the bytes of other numbers than it then writes. */
  private static byte[] boundary(long endTime, long startTime) {
    byte[] to = new byte[64];
    to[0] = UnfilteredFormat.IS_MARKER;
    to[1] = ClusteringKind.EXCL_END_INCL_START_BOUNDARY.code();
    int at = 4;
    int size = 3 + Vint.length(endTime - BASE) + Vint.length(startTime - BASE);
    at = Vint.write(to, at, size);
    at = Vint.write(to, at, PREVIOUS_SIZE);
    at = Vint.write(to, at, 1);
    at = Vint.write(to, at, wrapped(endTime - BASE));
    at = Vint.write(to, at, 2);
    at = Vint.write(to, at, wrapped(startTime - BASE));
    return Arrays.copyOf(to, at);
  }

  /** What Cassandra writes of a difference. */
  private static long wrapped(long seconds) {
    int narrow = (int) seconds;
    return narrow;
  }
}
