package io.siltstone.bench.stress;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.bench.stress.StressListener.Phase;
import io.siltstone.bench.workload.Profile;
import io.siltstone.bench.workload.WorkloadOptions;
import io.siltstone.bench.workload.WorkloadResult;
import io.siltstone.bench.workload.WorkloadRunner;
import io.siltstone.schema.TableSchema;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Opens a database, runs a workload profile against it, and closes it.
 *
 * <p>{@link #run} is called once, by one thread; {@link #stop} may be called by any thread.
 */
public final class Stress {
  private final StressOptions options;
  private final StressListener listener;
  private final Watch watch;
  private volatile boolean isStopped;
  private volatile @Nullable WorkloadRunner workloadRunner;

  /** Observes the database while it runs. */
  @FunctionalInterface
  public interface Watch {
    /** Begins to observe; closing the result ends it, before the database is closed. */
    Closeable begin(Database database, DatabaseOptions options);
  }

  /** Creates a run that nothing else observes. */
  public Stress(StressOptions options, StressListener listener) {
    this(options, listener, (database, with) -> () -> {});
  }

  /** Creates a run. */
  public Stress(StressOptions options, StressListener listener, Watch watch) {
    this.options = options;
    this.listener = listener;
    this.watch = watch;
  }

  /** Makes {@link #run} end soon, with the result so far. */
  public void stop() {
    isStopped = true;
    WorkloadRunner running = workloadRunner;
    if (running != null) {
      running.stop();
    }
  }

  /**
   * Runs the profile.
   *
   * @param directory of the database, created if missing. An existing table keeps its options, and
   *     reads are checked by their content only
   */
  public StressResult run(Path directory) throws IOException {
    try (Database database = Database.open(directory, options.database())) {
      Closeable watching = watch.begin(database, options.database());
      try (watching) {
        return run(database);
      }
    }
  }

  private StressResult run(Database database) throws IOException {
    Profile profile = options.profile();
    TableSchema wanted = profile.schema(options.table());
    boolean isNew = database.findTable(wanted.keyspace(), wanted.name()).isEmpty();
    Table table = profile.table(database, options.table());
    WorkloadOptions how =
        isNew ? options.load() : options.load().toBuilder().checked(false).build();
    WorkloadRunner running = new WorkloadRunner(profile, database, table, how);
    workloadRunner = running;
    if (isStopped) {
      running.stop();
    }
    Optional<WorkloadResult> populated = Optional.empty();
    if (options.populates()) {
      listener.begins(Phase.POPULATE);
      populated = Optional.of(running.populate(listener::sampled));
    }
    listener.begins(Phase.RUN);
    WorkloadResult result = running.run(listener::sampled);
    return new StressResult(
        options,
        table.schema(),
        populated,
        result,
        isStopped,
        table.statistics(),
        database.statistics());
  }
}
