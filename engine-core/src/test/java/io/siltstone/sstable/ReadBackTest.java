package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** At the full level of verification the files are read back whole before they have their names. */
class ReadBackTest {
  private static final Descriptor DESCRIPTOR = Descriptor.of(FormatVersion.OA, 1);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();
  private final MemoryDirectory disk = new MemoryDirectory();
  private final SimpleTable table =
      new SimpleTable(
          FormatVersion.OA,
          new SerializationHeader(
              CqlTypes.BLOB,
              List.of(CqlTypes.INT),
              List.of(),
              List.of(new HeaderColumn("v", CqlTypes.TEXT)),
              EncodingStats.NONE));

  private void write(OutputVerification level, byte... value) throws IOException {
    table.partition(
        SimpleTable.key((byte) 1),
        SimpleTable.row(
            table.at(ClusteringKind.CLUSTERING, 1),
            SimpleTable.column(0, SimpleTable.live(value))));
    SSTableWriterOptions options =
        SSTableWriterOptions.builder().outputVerification(level).expectedPartitions(1).build();
    ModelTables.write(table.model(), disk, DESCRIPTOR, options, memory);
  }

  @Test
  void aSoundTableIsCommitted() throws IOException {
    write(OutputVerification.FULL, (byte) 'a');
    ModelTables.assertHolds(table.model(), disk, DESCRIPTOR, memory);
  }

  /** Values are looked at by this level alone. */
  @Test
  void aValueThatIsNoneOfItsTypeIsRefused() throws IOException {
    assertThatThrownBy(() -> write(OutputVerification.FULL, (byte) 0xff))
        .isInstanceOf(OutputVerificationException.class)
        .hasMessageContaining("-Data.db");
    assertThat(disk.files()).isEmpty();
  }
}
