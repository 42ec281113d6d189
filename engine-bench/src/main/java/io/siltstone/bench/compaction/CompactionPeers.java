package io.siltstone.bench.compaction;

import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import java.util.ServiceLoader;

/**
 * Describes an engine before its JVM is started. This runs in a child JVM, because only that has
 * the engine's libraries.
 *
 * <pre>
 *   peer  name of the engine
 * </pre>
 *
 * Returns {@code jvm_options}, separated by blanks, and {@code unavailable}: the reason why it
 * cannot run, or an empty text.
 */
public final class CompactionPeers implements Measurement {
  /** Returns the engine with the given name. */
  static CompactionPeer named(String name) {
    return ServiceLoader.load(CompactionPeer.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(peer -> peer.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no engine " + name + " on the class path"));
  }

  @Override
  public NamedValues run(NamedValues parameters) {
    CompactionPeer peer = named(parameters.text("peer"));
    return new NamedValues()
        .put("jvm_options", String.join(" ", peer.jvmOptions()))
        .put("unavailable", peer.unavailable().orElse(""));
  }
}
