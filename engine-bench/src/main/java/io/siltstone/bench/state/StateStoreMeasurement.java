package io.siltstone.bench.state;

import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.workload.TemporaryDirectory;
import java.nio.file.Path;
import java.util.List;

/**
 * Measures the stores of two engines in this process, in turns: A, B, A, B. The last turn of each
 * counts, and those before warm up.
 *
 * <pre>
 *   directory     for the files, empty
 *   part          one of {@link Part}
 *   turns         number of turns of each
 *   value_bytes   length of each value
 *   entries       number of entries of a store, or of records to restore
 *   seconds       duration of each timed workload
 *   openings      number of times that a store is opened, of which the median is taken
 *   stores        number of stores of the part STORES
 * </pre>
 *
 * Returns the rates of the {@link StateWorkload}s of the part, and milliseconds: after the name of
 * each engine and a dot {@code reopen_ms}, {@code create_ms} and {@code reopen_all_ms}.
 */
public final class StateStoreMeasurement implements Measurement {
  /** The measurements of one process. */
  public enum Part {
    /** All workloads but the restore on one store, and its opening. */
    ENTRIES,
    /** The restore of one store. */
    RESTORE,
    /** Creating and opening many stores. */
    STORES
  }

  @Override
  public NamedValues run(NamedValues parameters) throws Exception {
    Path directory = Path.of(parameters.text("directory"));
    StateEntries entries = new StateEntries((int) parameters.whole("value_bytes"));
    Part part = Part.valueOf(parameters.text("part"));
    NamedValues result = new NamedValues();
    List<StateStorePeer> peers =
        List.of(
            StateStorePeers.named(StateStorePeer.OWN), StateStorePeers.named(StateStorePeer.KAFKA));
    for (int number = 0; number < parameters.whole("turns"); number++) {
      for (StateStorePeer peer : peers) {
        try (TemporaryDirectory own = TemporaryDirectory.in(directory, peer.name())) {
          StateTurn turn = new StateTurn(peer, own.path(), entries, parameters, result);
          switch (part) {
            case ENTRIES -> turn.runEntries();
            case RESTORE -> turn.runRestore();
            case STORES -> turn.runStores();
          }
        }
      }
    }
    return result;
  }
}
