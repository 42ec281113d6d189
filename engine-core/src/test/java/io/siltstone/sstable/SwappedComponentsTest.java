package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.MemoryDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Components of one table among those of another: who verifies finds it, and scans and reads give
 * the right rows or an error.
 *
 * <p>The exceptions: a filter of another table hides keys, and before version {@code oa} nothing in
 * the statistics ties them to the data.
 */
class SwappedComponentsTest {
  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();

  @Test
  void aComponentOfAnotherTableIsFound() throws IOException {
    for (DamagedTable.Form form : DamagedTable.Form.values()) {
      Descriptor descriptor = form.descriptor();
      TableModel model = form.model(3, 14, 90);
      MemoryDirectory own = new MemoryDirectory();
      ModelTables.write(model, own, descriptor, form.options(), memory);
      MemoryDirectory other = new MemoryDirectory();
      ModelTables.write(form.model(4, 14, 90), other, descriptor, form.options(), memory);
      for (Component component : Component.values()) {
        String name = descriptor.fileName(component);
        if (own.exists(name)) {
          byte[] before = DamagedTable.content(own, name);
          own.delete(name);
          DamagedTable.put(own, name, DamagedTable.content(other, name));
          check(form + ", " + component, component, form, own, model);
          own.delete(name);
          DamagedTable.put(own, name, before);
        }
      }
      ModelTables.assertHolds(model, own, descriptor, memory);
    }
  }

  private void check(
      String what,
      Component swapped,
      DamagedTable.Form form,
      MemoryDirectory directory,
      TableModel model)
      throws IOException {
    boolean found = false;
    try (SSTable table =
            SSTable.open(directory, form.descriptor(), SSTableOptions.DEFAULT, memory);
        PartitionReader reader = table.reader()) {
      try {
        new SSTableVerifier(table).verify(position -> {});
      } catch (CorruptSSTableException e) {
        found = true;
      }
      assertThat(found || swapped == Component.TOC).as("%s is found", what).isTrue();
      boolean ties = form.descriptor().version().hasKeyRange();
      if (swapped == Component.FILTER || (swapped == Component.STATISTICS && !ties)) {
        return;
      }
      try {
        assertThat(ModelTables.scan(table)).as(what).isEqualTo(model.scan());
        for (Partition partition : model.partitions()) {
          assertThat(ModelTables.read(reader, partition.key()))
              .as(what)
              .isEqualTo(model.read(partition));
        }
      } catch (CorruptSSTableException e) {
        assertThat(e).as(what).hasMessageContaining("corrupt SSTable");
      }
    } catch (CorruptSSTableException e) {
      assertThat(e).as(what).hasMessageContaining("corrupt SSTable");
    }
  }
}
