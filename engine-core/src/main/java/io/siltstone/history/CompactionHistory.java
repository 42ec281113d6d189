package io.siltstone.history;

import io.siltstone.event.EngineListener;
import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.maintenance.PastCompaction;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The compaction history of a database, in the file {@code compaction_history.jsonl}: a line of
 * JSON per compaction, oldest first. It keeps at least the last 5,000 lines and fewer than 10,000.
 *
 * <p>A line is written when a compaction ends, but not synced: a crash of the process loses none, a
 * power loss perhaps the last ones. An incomplete line is ignored. Nothing depends on the file:
 * failures are logged, and writing is retried with the next compaction.
 *
 * <p>Safe for use by all threads. The opener closes it, after the compactor whose events it
 * receives.
 */
public final class CompactionHistory implements EngineListener, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionHistory.class);

  private static final String FILE = "compaction_history.jsonl";

  private final Directory directory;
  private final InstantSource clock;
  private final int keep;

  // Guarded by this. Null until the first line is to be written, and after a failure.
  private @Nullable WritableFile file;
  private int lines;
  private boolean isClosed;

  private CompactionHistory(Directory directory, InstantSource clock, int keep) {
    this.directory = directory;
    this.clock = clock;
    this.keep = keep;
  }

  /**
   * Returns the history of the database in a directory; nothing is read or written yet.
   *
   * @param clock gives the time at which compactions end
   */
  public static CompactionHistory of(Directory directory, InstantSource clock) {
    return new CompactionHistory(directory, clock, 5000);
  }

  /**
   * @param keep number of lines that are kept when there are twice as many
   */
  static CompactionHistory of(Directory directory, InstantSource clock, int keep) {
    return new CompactionHistory(directory, clock, keep);
  }

  /** Returns all compactions in the file, the oldest first. */
  public synchronized List<PastCompaction> compactions() throws IOException {
    List<PastCompaction> all = new ArrayList<>();
    for (String line : text().split("\n", -1)) {
      HistoryLine.parse(line).ifPresent(all::add);
    }
    return all;
  }

  private String text() throws IOException {
    return directory.exists(FILE) ? TextFile.read(directory, FILE) : "";
  }

  @Override
  public synchronized void compactionCompleted(CompactionCompleted event) {
    if (isClosed) {
      return;
    }
    try {
      WritableFile out = file == null || lines >= 2 * keep - 1 ? reopen() : file;
      write(out, HistoryLine.of(event, clock.instant()));
      lines++;
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} could not be written to {}/{}", event, directory.path(), FILE, e);
      closeFile();
    }
  }

  /** Opens the file at its end, after removing old and incomplete lines. */
  private WritableFile reopen() throws IOException {
    closeFile();
    String text = text();
    List<PastCompaction> known = compactions();
    if (!text.isEmpty()
        && (!text.endsWith("\n") || known.size() >= 2 * keep - 1 || known.size() != count(text))) {
      known = known.subList(Math.max(0, known.size() - keep), known.size());
      replace(known);
    }
    lines = known.size();
    WritableFile opened =
        directory.exists(FILE) ? directory.append(FILE) : directory.create(FILE, WriteIntent.LOG);
    file = opened;
    return opened;
  }

  private static long count(String text) {
    return text.chars().filter(letter -> letter == '\n').count();
  }

  private void replace(List<PastCompaction> known) throws IOException {
    StringBuilder text = new StringBuilder();
    known.forEach(compaction -> text.append(line(compaction)));
    TextFile.replace(directory, FILE, text.toString(), WriteIntent.LOG);
  }

  private static void write(WritableFile out, PastCompaction compaction) throws IOException {
    out.write(ByteBuffer.wrap(line(compaction).getBytes(StandardCharsets.UTF_8)));
  }

  private static String line(PastCompaction compaction) {
    return HistoryLine.format(compaction) + '\n';
  }

  private void closeFile() {
    WritableFile open = file;
    file = null;
    if (open == null) {
      return;
    }
    try {
      open.close();
    } catch (IOException e) {
      LOG.debug("{}/{} was not closed properly", directory.path(), FILE, e);
    }
  }

  /** Closes the file; later events are ignored. */
  @Override
  public synchronized void close() {
    isClosed = true;
    closeFile();
  }
}
