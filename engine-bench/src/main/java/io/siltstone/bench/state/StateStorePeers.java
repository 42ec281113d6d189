package io.siltstone.bench.state;

import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import java.util.ServiceLoader;

/**
 * Describes the engines. This runs in a child JVM, because only that has their libraries. Returns
 * for each, after its name and a dot, {@code version} and {@code setting}.
 */
public final class StateStorePeers implements Measurement {
  /**
   * Returns an engine.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  static StateStorePeer named(String name) {
    for (StateStorePeer peer : ServiceLoader.load(StateStorePeer.class)) {
      if (peer.name().equals(name)) {
        return peer;
      }
    }
    throw new IllegalArgumentException("no state stores of " + name);
  }

  @Override
  public NamedValues run(NamedValues parameters) {
    NamedValues values = new NamedValues();
    for (StateStorePeer peer : ServiceLoader.load(StateStorePeer.class)) {
      values.put(peer.name() + ".version", peer.version());
      values.put(peer.name() + ".setting", peer.setting());
    }
    return values;
  }
}
