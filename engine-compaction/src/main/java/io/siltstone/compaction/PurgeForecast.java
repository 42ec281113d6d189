package io.siltstone.compaction;

import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.format.Descriptor;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Estimates by statistics, for a dry run, what a compaction would purge: droppable tombstones, and
 * those kept for {@code gc_grace_seconds} or because of overlaps.
 */
final class PurgeForecast {
  private final TableSchema schema;
  private final LiveTables live;
  private final long nowSeconds;

  PurgeForecast(TableSchema schema, LiveTables live, long nowMillis) {
    this.schema = schema;
    this.live = live;
    this.nowSeconds = nowMillis / 1000;
  }

  /** Returns a sentence for each input of a job that purges. */
  List<String> of(JobSpec spec) {
    Set<Descriptor> inputs = new HashSet<>(spec.inputs());
    List<LiveTable> others =
        live.tables().stream().filter(table -> !inputs.contains(table.descriptor())).toList();
    boolean mayPurge = mayPurge(spec.job().inputs());
    return spec.job().inputs().stream()
        .map(
            table ->
                sentence(table, others, mayPurge)
                    + (spec.kind().isCollecting() ? garbage(table, others) : ""))
        .toList();
  }

  /** Returns false if only repaired data may be purged and an input is unrepaired. */
  private boolean mayPurge(List<LiveTable> inputs) {
    return !schema.options().purgesOnlyRepaired()
        || inputs.stream().allMatch(LiveTable::isRepaired);
  }

  /**
   * Describes which SSTables may delete data of this one, of which statistics show only that it is
   * possible.
   */
  private static String garbage(LiveTable table, List<LiveTable> others) {
    List<String> deleting =
        others.stream()
            .filter(other -> other.overlaps(table) && other.maxTimestamp() >= table.minTimestamp())
            .map(other -> other.descriptor().toString())
            .toList();
    return deleting.isEmpty()
        ? "; no other SSTable may delete any of it"
        : "; how much of it is deleted by "
            + String.join(", ", deleting)
            + " is known only when it is read";
  }

  private String sentence(LiveTable table, List<LiveTable> others, boolean mayPurge) {
    int grace = schema.options().gcGraceSeconds();
    double old = table.droppableTombstoneRatio(nowSeconds - grace);
    double all = table.droppableTombstoneRatio(nowSeconds);
    String name = table.descriptor().toString();
    if (all == 0) {
      return table.minLocalDeletionTime() > nowSeconds
          ? name + ": nothing in it is deleted or has expired"
          : name
              + ": it has tombstones or expired cells, too few or too recent to estimate how many may"
              + " be purged";
    }
    if (!mayPurge) {
      return String.format(
          Locale.ROOT,
          "%s: about %.1f %% of its cells are deleted or have expired; none are purged, as the job"
              + " has unrepaired SSTables, and only_purge_repaired_tombstones is set",
          name,
          100 * all);
    }
    if (old == 0 && table.minLocalDeletionTime() > nowSeconds - grace) {
      return String.format(
          Locale.ROOT,
          "%s: about %.1f %% of its cells are deleted or have expired, none of them for"
              + " gc_grace_seconds %d: their tombstones are kept",
          name,
          100 * all,
          grace);
    }
    String text =
        String.format(
            Locale.ROOT,
            "%s: about %.1f %% of its cells may be purged, as they were deleted or expired for more than"
                + " gc_grace_seconds %d",
            name,
            100 * old,
            grace);
    List<String> shadowed =
        others.stream()
            .filter(other -> other.overlaps(table) && other.minTimestamp() <= table.maxTimestamp())
            .map(other -> other.descriptor().toString())
            .toList();
    if (!shadowed.isEmpty()) {
      text += "; those are kept that may shadow older data in " + String.join(", ", shadowed);
    }
    if (live.memtableMinTimestamp() <= table.maxTimestamp()) {
      text += "; those are kept that are newer than the oldest write in a memtable";
    }
    return text;
  }
}
