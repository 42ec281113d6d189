package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.event.EngineListener;
import io.siltstone.event.ReadOnlyException;
import io.siltstone.io.Directory;
import io.siltstone.io.ForwardingDirectory;
import io.siltstone.io.ForwardingWritableFile;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Flushes of a writer with a defect: verification refuses what it has written. */
class RefusedFlushTest {
  private static final String TABLE = "CREATE TABLE w.rows (k int PRIMARY KEY, v text)";

  private final MemoryDirectory disk = new MemoryDirectory();
  private final AtomicInteger damaged = new AtomicInteger();
  private final List<Throwable> failures = new ArrayList<>();
  private final List<EngineListener.EngineReadOnly> ends = new ArrayList<>();

  /** A directory in which the first data files of SSTables get a wrong byte. */
  private static final class WrongBytes extends ForwardingDirectory {
    private final AtomicInteger left;
    private final AtomicInteger damaged;

    WrongBytes(Directory inner, AtomicInteger left, AtomicInteger damaged) {
      super(inner);
      this.left = left;
      this.damaged = damaged;
    }

    @Override
    public Directory directory(String name) throws IOException {
      return new WrongBytes(super.directory(name), left, damaged);
    }

    @Override
    public WritableFile create(String name, WriteIntent intent) throws IOException {
      WritableFile file = super.create(name, intent);
      if (!name.endsWith("-Data.db.tmp") || left.getAndDecrement() <= 0) {
        return file;
      }
      damaged.incrementAndGet();
      return new ForwardingWritableFile(file) {
        @Override
        public void write(ByteBuffer src) throws IOException {
          ByteBuffer wrong = ByteBuffer.allocate(src.remaining());
          wrong.put(src).flip();
          wrong.put(0, (byte) (wrong.get(0) ^ 1));
          super.write(wrong);
        }
      };
    }
  }

  private Database open(int wrongFiles) throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .compaction(Compaction.none())
            .memoryBytes(32L << 20)
            .memtableBytes(8L << 20)
            .chunkCacheBytes(0)
            .listener(
                new EngineListener() {
                  @Override
                  public void flushFailed(FlushFailed event) {
                    failures.add(event.cause());
                  }

                  @Override
                  public void engineReadOnly(EngineReadOnly event) {
                    ends.add(event);
                  }
                })
            .build();
    return Database.open(new WrongBytes(disk, new AtomicInteger(wrongFiles), damaged), options);
  }

  private static void put(Table table, int key) throws IOException {
    table.write(table.mutation(key).insert().set("v", "value " + key).build());
  }

  @Test
  void aFlushThatIsRefusedOnceIsWrittenOnceMore() throws IOException {
    try (Database database = open(1)) {
      Table table = database.createTable(TABLE);
      put(table, 1);
      database.flush();
      assertThat(damaged).hasValue(1);
      assertThat(table.statistics().sstables().count()).isEqualTo(1);
      assertThat(failures).isEmpty();
      put(table, 2);
    }
  }

  @Test
  void aFlushThatIsRefusedTwiceEndsAllChangesAndLosesNothing() throws IOException {
    Database database = open(Integer.MAX_VALUE);
    Table table = database.createTable(TABLE);
    put(table, 1);
    put(table, 2);
    assertThatThrownBy(database::flush)
        .isInstanceOf(IOException.class)
        .hasRootCauseInstanceOf(OutputVerificationException.class);
    assertThat(damaged).hasValue(2);
    assertThat(failures).singleElement().isInstanceOf(OutputVerificationException.class);
    assertThat(failures.get(0).getSuppressed())
        .singleElement()
        .isInstanceOf(OutputVerificationException.class);
    assertThat(ends).hasSize(1);
    assertThat(ends.get(0).reason()).contains("A memtable of", "-Data.db.tmp", "not committed");
    assertThat(database.stoppedReason().orElseThrow()).isEqualTo(ends.get(0).reason());
    assertThatThrownBy(() -> put(table, 3)).isInstanceOf(ReadOnlyException.class);
    assertThat(table.get(table.query().partition(1).build())).isPresent();
    assertThatThrownBy(database::close).isInstanceOf(IOException.class);
    assertThat(damaged).hasValue(2);
    try (Database reopened = open(0)) {
      Table read = reopened.table("w", "rows");
      assertThat(read.get(read.query().partition(1).build())).isPresent();
      assertThat(read.get(read.query().partition(2).build())).isPresent();
    }
  }
}
