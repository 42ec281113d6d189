/**
 * The file seam: everything the engine does to a disk goes through {@link
 * io.siltstone.io.Directory}.
 *
 * <p>{@code NioDirectory} is the real one, {@code MemoryDirectory} keeps its files on the heap.
 * What wraps a directory begins with {@code ForwardingDirectory}; test doubles (faults, power loss,
 * counting) live in the testkit module.
 *
 * <p>Threads: a {@code Directory} and a {@code ReadableFile} are safe for all threads; a {@code
 * WritableFile} is confined to one thread at a time.
 */
@NullMarked
package io.siltstone.io;

import org.jspecify.annotations.NullMarked;
