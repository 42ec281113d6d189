package io.siltstone.maintenance;

import io.siltstone.event.EngineListener.CompactionCompleted;
import io.siltstone.event.EngineListener.CompactionFailed;
import io.siltstone.event.EngineListener.CompactionStarted;
import java.io.IOException;
import java.util.List;

/**
 * The outcome of a {@link CompactionRequest}. Immutable.
 *
 * @param completed the jobs that succeeded, in the order in which they ended
 * @param failed the jobs that failed; their inputs are unchanged
 * @param planned the jobs that a dry run would have done
 * @param remarks sentences for the operator: what was left out and why, and what was lost
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
   * Returns this report if no job failed. For callers that require the whole request to succeed.
   *
   * @throws IOException if a job failed. The message has the number of failed jobs; the cause is
   *     the first failure. Jobs that succeeded keep their effect
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
