package io.siltstone.compaction;

import static io.siltstone.compaction.strategy.MadeUp.live;
import static io.siltstone.compaction.strategy.MadeUp.table;
import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.CorruptFileException;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.UnreadableFileException;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlamedSSTablesTest {
  private final MemoryDirectory directory = new MemoryDirectory();
  private final LiveTables live = live(table(1), table(12), table(3));
  private final List<Descriptor> inputs =
      live.tables().stream().limit(2).map(LiveTable::descriptor).toList();

  private BlamedSSTables of(Throwable failure) {
    return BlamedSSTables.of(failure, directory, inputs, live);
  }

  @Test
  void bytesThatAreNotWhatWasWrittenAndThoseThatMakeNoSenseAreOfTheirTable() {
    String path = directory.path() + "/oa-3-big-Data.db";
    for (Throwable damage :
        List.of(
            new CorruptFileException(path, 7, "checksum"),
            new CorruptSSTableException(path, Component.DATA, 7, "a row of -1 bytes"),
            new IOException(
                new CorruptSSTableException(path, Component.DATA, 7, "no such kind")))) {
      BlamedSSTables blamedSSTables = of(damage);
      assertThat(blamedSSTables.path()).isEqualTo(path);
      assertThat(blamedSSTables.mayPass()).isFalse();
      assertThat(blamedSSTables.tables())
          .extracting(Descriptor::toString)
          .containsExactly("oa-3-big");
    }
  }

  @Test
  void whatCannotBeReadIsOfItsTableToo() {
    String path = directory.path() + "/oa-3-big-Data.db";
    BlamedSSTables blamedSSTables =
        of(new UnreadableFileException(path, 7, new IOException("EIO")));
    assertThat(blamedSSTables.path()).isEqualTo(path);
    assertThat(blamedSSTables.mayPass()).isTrue();
    assertThat(blamedSSTables.tables())
        .extracting(Descriptor::toString)
        .containsExactly("oa-3-big");
  }

  @Test
  void anythingElseIsOfNobody() {
    assertThat(of(new IOException("EIO"))).isEqualTo(new BlamedSSTables(List.of(), null, false));
    assertThat(of(new CorruptFileException("/elsewhere/oa-3-big-Data.db", 0, "checksum")).tables())
        .isEmpty();
  }
}
