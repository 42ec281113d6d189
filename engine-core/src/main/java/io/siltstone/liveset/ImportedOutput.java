package io.siltstone.liveset;

import io.siltstone.files.FileCopy;
import io.siltstone.io.Directory;
import io.siltstone.io.SyncFailedException;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.sstable.metadata.RepairState;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An SSTable of another directory that is imported under a name of this one. Its files are linked,
 * or copied where links are impossible. The statistics are rewritten if they contain what holds in
 * the other directory only: a level, a repair session, a part of a commit log.
 */
final class ImportedOutput implements Output {
  private final Directory source;
  private final Descriptor from;
  private final Set<Component> components;
  private final Statistics statistics;
  private final Directory target;
  private final Descriptor to;

  /**
   * @param table an open SSTable; it may be closed before the output is published
   */
  ImportedOutput(SSTable table, Directory target, Descriptor to) {
    this.source = table.directory();
    this.from = table.descriptor();
    this.components = table.components();
    this.statistics = table.statistics();
    this.target = target;
    this.to = to;
  }

  @Override
  public Descriptor descriptor() {
    return to;
  }

  @Override
  public boolean isEmpty() {
    return false;
  }

  @Override
  public void finish() {
    // The files are complete; they are synced under their new names.
  }

  @Override
  public void publish() throws IOException {
    StatsMetadata local =
        statistics
            .stats()
            .withLevel(0)
            .withRepair(RepairState.UNREPAIRED)
            .withCommitLogIntervals(CommitLogIntervals.NONE);
    for (Component component : components) {
      String name = to.fileName(component);
      if (component == Component.STATISTICS && !local.equals(statistics.stats())) {
        statistics.withStats(local).write(target, name, to.version(), WriteIntent.OTHER);
      } else if (component == Component.TOC) {
        // The source's table of contents may name files of indexes, which are not imported.
        writeContents(name);
      } else {
        take(from.fileName(component), name);
      }
    }
  }

  private void writeContents(String name) throws IOException {
    String lines =
        components.stream().map(each -> each.fileName() + "\n").collect(Collectors.joining());
    try (WritableFile file = target.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8)));
      file.sync();
    }
  }

  private void take(String name, String newName) throws IOException {
    try {
      source.linkSynced(name, target, newName);
    } catch (SyncFailedException e) {
      // After a failed sync the content may be lost: it must not be copied.
      throw e;
    } catch (IllegalArgumentException | IOException e) {
      try {
        SSTableComponents.deleteIfThere(target, newName);
        FileCopy.copy(source, name, target, newName, bytes -> {});
      } catch (IOException second) {
        second.addSuppressed(e);
        throw second;
      }
    }
  }

  @Override
  public void close() {
    // Nothing is open, and there are no files before publish.
  }
}
