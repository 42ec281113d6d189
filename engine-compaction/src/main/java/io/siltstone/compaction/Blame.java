package io.siltstone.compaction;

import io.siltstone.compaction.task.CompactionCheckException;
import io.siltstone.io.CorruptFileException;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Descriptor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which inputs a job has failed for, if it has for any: to take them again would fail again.
 *
 * @param tables the inputs
 * @param path of the damaged file; null if it is not known which it is
 */
record Blame(List<Descriptor> tables, @Nullable String path) {

  static Blame of(Throwable failure, List<SSTable> inputs) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CorruptFileException damage) {
        return new Blame(
            inputs.stream()
                .filter(table -> isOf(table, damage.path()))
                .map(SSTable::descriptor)
                .toList(),
            damage.path());
      }
      if (cause instanceof CompactionCheckException) {
        return new Blame(inputs.stream().map(SSTable::descriptor).toList(), null);
      }
    }
    return new Blame(List.of(), null);
  }

  private static boolean isOf(SSTable table, String path) {
    return path.startsWith(table.directory().path() + "/" + table.descriptor() + "-");
  }
}
