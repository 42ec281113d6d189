package io.siltstone.liveset;

import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.metadata.CommitLogPosition;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Flushed positions: for each host, up to where its commit log was flushed to SSTables or was
 * truncated.
 *
 * <p>SSTables record themselves which part of a log they contain. If a compaction leaves no
 * SSTable, that record is lost: a replay would bring back the rows that the compaction purged, or
 * would repeat a truncation and remove what was put there since. So the last positions are kept in
 * the file {@code flushed_positions} beside the SSTables: a line {@code host segment position} for
 * each host, and a last line with the checksum of all others.
 */
record FlushedPositions(Map<UUID, CommitLogPosition> byHost) {
  static final String FILE = "flushed_positions";
  static final FlushedPositions NONE = new FlushedPositions(Map.of());

  FlushedPositions {
    byHost = Map.copyOf(byHost);
  }

  /** Returns the positions that SSTables record. */
  static FlushedPositions of(Collection<CountedSSTable> tables) {
    Map<UUID, CommitLogPosition> positions = new HashMap<>();
    tables.forEach(tracked -> add(positions, tracked.table));
    return new FlushedPositions(positions);
  }

  private static void add(Map<UUID, CommitLogPosition> positions, SSTable table) {
    StatsMetadata stats = table.statistics().stats();
    if (!stats.commitLogIntervals().intervals().isEmpty()) {
      stats
          .originatingHostId()
          .ifPresent(
              host ->
                  positions.merge(
                      host, stats.commitLogIntervals().upperBound(), FlushedPositions::later));
    }
  }

  private static CommitLogPosition later(CommitLogPosition one, CommitLogPosition other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  /** Returns the later position of both for each host. */
  FlushedPositions and(FlushedPositions other) {
    Map<UUID, CommitLogPosition> later = new HashMap<>(byHost);
    other.byHost.forEach((host, position) -> later.merge(host, position, FlushedPositions::later));
    return new FlushedPositions(later);
  }

  /**
   * Returns the position of a host; {@link CommitLogPosition#NONE} if nothing of its log is known.
   */
  CommitLogPosition of(UUID host) {
    return byHost.getOrDefault(host, CommitLogPosition.NONE);
  }

  /**
   * Reads the file of a directory.
   *
   * @throws CorruptFileException if the file is damaged
   */
  static FlushedPositions read(Directory directory) throws IOException {
    if (!directory.exists(FILE)) {
      return NONE;
    }
    String lines = CheckedLines.read(directory, FILE);
    try {
      Map<UUID, CommitLogPosition> positions = new HashMap<>();
      lines.lines().forEach(line -> parse(line, positions));
      return new FlushedPositions(positions);
    } catch (IllegalArgumentException e) {
      throw CheckedLines.damaged(directory, FILE, String.valueOf(e.getMessage()), e);
    }
  }

  private static void parse(String line, Map<UUID, CommitLogPosition> positions) {
    String[] fields = line.split(" ", -1);
    if (fields.length != 3) {
      throw new IllegalArgumentException(
          "the line '" + line + "' has not the form 'host segment position'");
    }
    positions.put(
        UUID.fromString(fields[0]),
        new CommitLogPosition(Long.parseLong(fields[1]), Integer.parseInt(fields[2])));
  }

  /** Writes the file durably. */
  void write(Directory directory) throws IOException {
    StringBuilder lines = new StringBuilder();
    new TreeMap<>(byHost)
        .forEach(
            (host, position) ->
                lines
                    .append(host)
                    .append(' ')
                    .append(position.segmentId())
                    .append(' ')
                    .append(position.position())
                    .append('\n'));
    CheckedLines.replace(directory, FILE, lines.toString());
  }
}
