/**
 * The interface between the engine and the disk: every access to a file goes through {@link
 * io.siltstone.io.Directory}.
 *
 * <p>{@code NioDirectory} uses the file system, {@code MemoryDirectory} keeps its files on the
 * heap. Wrappers of a directory extend {@code ForwardingDirectory}; test doubles (faults, power
 * loss, counting) live in the testkit module.
 *
 * <p>Threads: a {@code Directory} and a {@code ReadableFile} are safe for all threads; a {@code
 * WritableFile} is confined to one thread at a time.
 */
@NullMarked
package io.siltstone.io;

import org.jspecify.annotations.NullMarked;
