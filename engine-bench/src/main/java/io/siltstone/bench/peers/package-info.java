/**
 * Comparison of storage engines: the interface of an engine ({@link io.siltstone.bench.peers.Peer},
 * {@link io.siltstone.bench.peers.PeerStore}), the measurement ({@link
 * io.siltstone.bench.peers.PeerMeasurement}), and the adapter of Siltstone. The adapters of other
 * engines are in the module bench-peers, with the libraries that they need; a {@link
 * java.util.ServiceLoader} finds them.
 */
@NullMarked
package io.siltstone.bench.peers;

import org.jspecify.annotations.NullMarked;
