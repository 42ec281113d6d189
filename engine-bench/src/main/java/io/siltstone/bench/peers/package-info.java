/**
 * Engines side by side: what each must offer to take part ({@link io.siltstone.bench.peers.Peer},
 * {@link io.siltstone.bench.peers.PeerStore}), what is asked of each ({@link
 * io.siltstone.bench.peers.PeerMeasurement}), and Siltstone's own part. The adapters of the others
 * are in the module bench-peers, with the libraries that they need; a {@link
 * java.util.ServiceLoader} finds them.
 */
@NullMarked
package io.siltstone.bench.peers;

import org.jspecify.annotations.NullMarked;
