package io.siltstone.bench.peers;

import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Lists the engines. This runs in a child JVM, because only that has their libraries. Returns
 * {@code names}, one per line, this engine first; and for each, after its name and a dot, {@code
 * version}, {@code setting}, {@code jvm_options} (separated by blanks) and {@code unavailable} (the
 * reason; empty if it can run). The parameters are those of {@link PeerMeasurement}.
 */
public final class PeerList implements Measurement {
  static List<Peer> all() {
    List<Peer> peers = new ArrayList<>();
    ServiceLoader.load(Peer.class).forEach(peers::add);
    peers.sort(
        Comparator.comparing((Peer peer) -> !(peer instanceof SiltstonePeer))
            .thenComparing(Peer::name));
    return peers;
  }

  /**
   * Returns an engine.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  static Peer named(String name) {
    return all().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no peer " + name));
  }

  @Override
  public NamedValues run(NamedValues parameters) {
    List<Peer> peers = all();
    NamedValues values = new NamedValues();
    values.put("names", String.join("\n", peers.stream().map(Peer::name).toList()));
    PeerOptions options = PeerMeasurement.options(parameters);
    for (Peer peer : peers) {
      values.put(peer.name() + ".version", peer.version());
      values.put(peer.name() + ".setting", peer.setting(options));
      values.put(peer.name() + ".jvm_options", String.join(" ", peer.jvmOptions()));
      values.put(peer.name() + ".unavailable", peer.unavailable().orElse(""));
    }
    return values;
  }
}
