package io.siltstone.bench.peers;

/**
 * What all engines get, as far as they have it.
 *
 * @param blockKib unit of compression and of reading, in KiB
 * @param cacheBytes of what was read
 * @param bufferBytes for what was written and is not in files yet
 */
public record PeerOptions(int blockKib, long cacheBytes, long bufferBytes) {}
