package io.siltstone.liveset;

import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The part of a host's commit log whose changes an SSTable contains.
 *
 * @param host whose log it is; null if unknown
 * @param intervals of the log
 */
record CommitLogCoverage(@Nullable UUID host, CommitLogIntervals intervals) {

  /**
   * Returns the coverage of an SSTable that replaces others. Inputs that have expired count, too,
   * so that the log does not bring back what they had.
   *
   * @param own the host that is running, whose log alone counts; null if there is none: then the
   *     host that all inputs name, if they agree
   */
  static CommitLogCoverage ofMerge(List<SSTable> inputs, @Nullable UUID own) {
    UUID host = own == null ? commonHost(inputs) : own;
    CommitLogIntervals all = CommitLogIntervals.NONE;
    for (SSTable input : inputs) {
      StatsMetadata stats = stats(input);
      if (stats.originatingHostId().equals(Optional.ofNullable(host))) {
        all = all.union(stats.commitLogIntervals());
      }
    }
    return new CommitLogCoverage(host, all);
  }

  private static @Nullable UUID commonHost(List<SSTable> inputs) {
    Set<Optional<UUID>> hosts =
        inputs.stream()
            .map(CommitLogCoverage::stats)
            .filter(stats -> !stats.commitLogIntervals().intervals().isEmpty())
            .map(StatsMetadata::originatingHostId)
            .collect(Collectors.toSet());
    return hosts.size() == 1 ? hosts.iterator().next().orElse(null) : null;
  }

  private static StatsMetadata stats(SSTable table) {
    return table.statistics().stats();
  }
}
