package io.siltstone.compaction;

import io.siltstone.Compaction;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.model.CompactionJob;
import io.siltstone.schema.TableId;
import io.siltstone.spi.CompactionHost;
import io.siltstone.spi.Compactor;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.testkit.PowerLossException;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A service that receives a random request whenever it may compact; it collects the results of all
 * jobs.
 */
public final class RequestedCompaction implements Compaction, CompactionJob {
  private static final List<Operation> OPERATIONS = List.of(Operation.values());
  private static final long PATIENCE_SECONDS = 60;

  private final CompactionService service;
  private final Map<CompactionHost, Compactor> compactors = new ConcurrentHashMap<>();

  /** Makes the service with these options. */
  public RequestedCompaction(CompactionOptions options) {
    service = new CompactionService(options);
  }

  @Override
  public Compactor create(CompactionHost host) {
    Compactor compactor = service.create(host);
    compactors.put(host, compactor);
    return compactor;
  }

  /** Makes a request, and mostly waits for its report. */
  @Override
  public void run(CompactionHost host, TableId table, Random random) throws IOException {
    CompletableFuture<CompactionReport> report =
        Objects.requireNonNull(compactors.get(host))
            .run(table, request(host, table, random))
            .toCompletableFuture();
    if (random.nextInt(4) > 0) {
      try {
        report.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
      } catch (CompletionException e) {
        // The SSTables may have been merged by other jobs before, or belong to another strategy.
        if (!(e.getCause() instanceof IllegalArgumentException)) {
          throw e;
        }
      }
    }
  }

  private static CompactionRequest request(CompactionHost host, TableId table, Random random) {
    Operation operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
    CompactionRequest request =
        CompactionRequest.of(operation).withOutputBytes(1 + random.nextInt(300));
    Set<Descriptor> some = new HashSet<>();
    for (LiveTable live : host.live(table).tables()) {
      if (random.nextInt(3) > 0) {
        some.add(live.descriptor());
      }
    }
    if (operation == Operation.USER_DEFINED || random.nextInt(4) == 0) {
      request = request.withTables(some);
    }
    return random.nextInt(3) == 0 ? request.split() : request;
  }

  /** Fails if a job has failed without an external cause. */
  public void requireSound(String which) {
    for (CompactionRecord job : service.history()) {
      Throwable failure = job.failure();
      if (failure != null && !isFromOutside(failure)) {
        throw new AssertionError(which + ": a job has failed: " + job, failure);
      }
      if (job.report() != null && !job.report().losses().isEmpty()) {
        throw new AssertionError(which + ": a job has lost something: " + job);
      }
    }
    List<RunningCompaction> running = service.running();
    if (!running.isEmpty()) {
      throw new AssertionError(which + ": jobs of a closed database: " + running);
    }
  }

  /** The job was cancelled, or its disk has lost power. */
  private static boolean isFromOutside(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CancellationException || cause instanceof PowerLossException) {
        return true;
      }
    }
    return false;
  }

  /** Adds successful jobs, by operation. */
  void count(Map<String, Integer> done) {
    service.history().stream()
        .filter(CompactionRecord::isDone)
        .forEach(job -> done.merge(job.operation(), 1, Integer::sum));
  }
}
