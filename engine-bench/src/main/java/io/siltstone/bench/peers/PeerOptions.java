package io.siltstone.bench.peers;

/**
 * The settings that all engines get, as far as they have them.
 *
 * @param blockKib unit of compression and of reading, in KiB
 * @param cacheBytes size of the read cache
 * @param bufferBytes size of the write buffer
 */
public record PeerOptions(int blockKib, long cacheBytes, long bufferBytes) {}
