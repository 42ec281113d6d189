package io.siltstone.spi;

import io.siltstone.event.EngineListener.CompactionCompleted;
import io.siltstone.event.EngineListener.CompactionFailed;
import io.siltstone.event.EngineListener.CompactionStarted;
import java.io.IOException;
import java.util.List;

/**
 * What a request has led to.
 *
 * @param completed jobs, in the order in which they ended
 * @param failed jobs, whose inputs are still live
 * @param planned jobs of a dry run, which were not done
 * @param remarks for the operator, one sentence each: what was left out and why, what was lost
 */
public record CompactionReport(
    List<CompactionCompleted> completed,
    List<CompactionFailed> failed,
    List<CompactionStarted> planned,
    List<String> remarks) {
  /** Copies the lists. */
  public CompactionReport {
    completed = List.copyOf(completed);
    failed = List.copyOf(failed);
    planned = List.copyOf(planned);
    remarks = List.copyOf(remarks);
  }

  /**
   * This report, if no job failed: of a request whose effect is needed.
   *
   * @throws IOException if one did: tells how many, and is caused by what the first failed for;
   *     those that have completed stay so
   */
  public CompactionReport orThrow() throws IOException {
    if (failed.isEmpty()) {
      return this;
    }
    CompactionFailed first = failed.get(0);
    throw new IOException(
        failed.size()
            + " of "
            + (failed.size() + completed.size())
            + " compactions of "
            + first.table()
            + " failed: "
            + first.cause().getMessage(),
        first.cause());
  }
}
