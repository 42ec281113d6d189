package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.Directory;
import io.siltstone.io.ForwardingDirectory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.DamagedTable.Form;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The verifier finds whatever is wrong in a trie index, which has no checksums. */
class TrieIndexVerificationTest {
  private static final long SEED = Long.getLong("siltstone.seed", 35);
  private static final Form FORM = Form.LZ4_DA;
  private static final Set<Component> INDEX = EnumSet.of(Component.PARTITIONS, Component.ROWS);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();
  private final MemoryDirectory disk = new MemoryDirectory();
  private final TableModel model = FORM.model(SEED, 14, 90);

  @BeforeEach
  void write() throws IOException {
    ModelTables.write(model, disk, FORM.descriptor(), FORM.options(), memory);
  }

  private void verify(VerificationLevel level) throws IOException {
    try (SSTable table = SSTable.open(disk, FORM.descriptor(), SSTableOptions.DEFAULT, memory)) {
      new SSTableVerifier(table).verify(level);
    }
  }

  private void replace(Component component, byte[] bytes) throws IOException {
    String name = FORM.descriptor().fileName(component);
    disk.delete(name);
    DamagedTable.put(disk, name, bytes);
  }

  private byte[] content(Component component) throws IOException {
    return DamagedTable.content(disk, FORM.descriptor().fileName(component));
  }

  @Test
  void aFlippedBitOfEachByteOfPartitionsIsFound() throws IOException {
    assertThat(notFound(Component.PARTITIONS)).isZero();
  }

  /** A changed separator that leads to the same blocks is no damage. */
  @Test
  void aFlippedBitOfEachByteOfRowsIsFoundIfItMatters() throws IOException {
    assertThat(notFound(Component.ROWS)).isLessThan(content(Component.ROWS).length / 20);
  }

  private int notFound(Component component) throws IOException {
    Random random = new Random(SEED);
    byte[] sound = content(component);
    assertThat(sound.length).isGreaterThan(100);
    int notFound = 0;
    for (int at = 0; at < sound.length; at++) {
      byte[] damaged = sound.clone();
      int bit = random.nextInt(8);
      damaged[at] ^= (byte) (1 << bit);
      replace(component, damaged);
      try {
        verify(VerificationLevel.FULL);
        notFound++;
      } catch (CorruptSSTableException e) {
        assertThat(e.component())
            .as("%s, seed %s, bit %s of byte %s: %s", component, SEED, bit, at, e)
            .isIn(INDEX);
      }
    }
    replace(component, sound);
    return notFound;
  }

  /** The verification of checksums finds entries that lead to no key, and missing keys. */
  @Test
  void damageOfPartitionsIsFoundWithoutParsingRows() throws IOException {
    byte[] sound = content(Component.PARTITIONS);
    int found = 0;
    for (int at = 0; at < sound.length; at++) {
      byte[] damaged = sound.clone();
      damaged[at] ^= 1;
      replace(Component.PARTITIONS, damaged);
      try {
        verify(VerificationLevel.DIGEST);
      } catch (CorruptSSTableException e) {
        assertThat(e.component()).as("byte %s: %s", at, e).isIn(INDEX);
        found++;
      }
    }
    assertThat(found).isEqualTo(sound.length);
  }

  /** Bytes that are changed between the writer and the file are found before the commit. */
  @ParameterizedTest
  @EnumSource(
      value = Component.class,
      names = {"PARTITIONS", "ROWS"})
  void aDefectOfTheWriterIsRefused(Component component) throws IOException {
    byte[] sound = content(component);
    String name = FORM.descriptor().temporaryFileName(component);
    for (int at = 0; at < sound.length; at += 7) {
      MemoryDirectory target = new MemoryDirectory();
      Edits edits = new Edits().set(at, sound[at] ^ 1 << at % 8);
      Directory changing =
          new ForwardingDirectory(target) {
            @Override
            public WritableFile create(String created, WriteIntent intent) throws IOException {
              WritableFile file = super.create(created, intent);
              return created.equals(name) ? edits.before(file) : file;
            }
          };
      assertThatThrownBy(
              () -> ModelTables.write(model, changing, FORM.descriptor(), FORM.options(), memory))
          .as("%s, byte %s", component, at)
          .isInstanceOf(OutputVerificationException.class)
          .hasMessageMatching(".*(Partitions|Rows)\\.db\\.tmp.*");
      assertThat(target.files()).isEmpty();
    }
  }

  /** The index is that of a table with the same keys, in which one partition is longer. */
  @Test
  void anIndexOfOtherDataIsFound() throws IOException {
    TableModel other = FORM.model(SEED + 1, 14, 90);
    for (Component component : INDEX) {
      MemoryDirectory elsewhere = new MemoryDirectory();
      ModelTables.write(other, elsewhere, FORM.descriptor(), FORM.options(), memory);
      byte[] own = content(component);
      replace(component, DamagedTable.content(elsewhere, FORM.descriptor().fileName(component)));
      assertThatThrownBy(() -> verify(VerificationLevel.FULL))
          .as("%s", component)
          .isInstanceOf(CorruptSSTableException.class);
      replace(component, own);
    }
    verify(VerificationLevel.FULL);
  }
}
