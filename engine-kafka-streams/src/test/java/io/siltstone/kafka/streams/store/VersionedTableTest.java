package io.siltstone.kafka.streams.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

/** Tests what a put into a versioned store reads. */
final class VersionedTableTest {
  private static final byte[] KEY = {'k'};
  private static final long DAY = 86_400_000;

  private final CountedAccess access = new CountedAccess();
  private long streamTime;

  private void put(VersionedTable table, long time) throws IOException {
    streamTime = Math.max(streamTime, time);
    var unused = table.put(access, streamTime, KEY, new byte[] {1}, time);
  }

  @Test
  void aLatePutReadsTheSegmentsThatExistHoweverShortTheyAre() throws IOException {
    VersionedTable table = new VersionedTable(new TimeSegments(DAY, 1, true));
    put(table, 0);
    put(table, DAY / 2);
    put(table, DAY);
    access.reads = 0;
    put(table, DAY / 4);
    // The latest version, the two segments in which versions ended, and the one of the new version.
    assertThat(access.reads).isEqualTo(4);
  }

  @Test
  void segmentsThatHaveExpiredAreNotReadAnyMore() throws IOException {
    VersionedTable table = new VersionedTable(new TimeSegments(DAY, 1, true));
    for (int i = 0; i < 100; i++) {
      put(table, i);
    }
    assertThat(access.segments.last()).isEqualTo(99);
    put(table, 2 * DAY);
    assertThat(access.segments.before(2 * DAY)).isEqualTo(HistorySegments.NONE);
    assertThat(access.segments.last()).isEqualTo(2 * DAY);
  }

  private static final class CountedAccess implements VersionedTable.Access {
    private final Map<Bytes, byte[]> entries = new TreeMap<>();
    private final HistorySegments segments = new HistorySegments();
    private int reads;

    @Override
    public byte[] get(byte[] key) {
      reads++;
      return entries.get(Bytes.wrap(key));
    }

    @Override
    public void put(byte[] key, byte[] value) {
      if (value == null) {
        entries.remove(Bytes.wrap(key));
      } else {
        entries.put(Bytes.wrap(key), value);
      }
    }

    @Override
    public void expire(long live) {
      segments.removeBefore(live);
    }

    @Override
    public HistorySegments segments() {
      return segments;
    }
  }
}
