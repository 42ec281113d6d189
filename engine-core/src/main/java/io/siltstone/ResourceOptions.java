package io.siltstone;

import io.siltstone.table.MemtablePool;
import io.siltstone.text.OptionsText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a database for memory, caches and threads; null for the defaults, or for what the
 * shared resources have.
 *
 * @param shared null if the database has its own
 */
record ResourceOptions(
    @Nullable Long memoryBytes,
    @Nullable Long memtableBytes,
    @Nullable Long chunkCacheBytes,
    @Nullable Long keyCacheBytes,
    @Nullable Integer flushThreads,
    @Nullable Integer scanThreads,
    @Nullable SharedResources shared) {
  private static final long MIB = 1L << 20;
  private static final long DEFAULT_MEMORY_BYTES = 1024 * MIB;
  private static final long DEFAULT_MEMTABLE_BYTES = 256 * MIB;
  private static final long DEFAULT_CHUNK_CACHE_BYTES = 256 * MIB;
  private static final long DEFAULT_KEY_CACHE_BYTES = 16 * MIB;
  private static final int DEFAULT_FLUSH_THREADS = 2;

  static final ResourceOptions DEFAULT =
      new ResourceOptions(null, null, null, null, null, null, null);

  ResourceOptions withMemoryBytes(long value) {
    return new ResourceOptions(
        value, memtableBytes, chunkCacheBytes, keyCacheBytes, flushThreads, scanThreads, shared);
  }

  ResourceOptions withMemtableBytes(long value) {
    return new ResourceOptions(
        memoryBytes, value, chunkCacheBytes, keyCacheBytes, flushThreads, scanThreads, shared);
  }

  ResourceOptions withChunkCacheBytes(long value) {
    return new ResourceOptions(
        memoryBytes, memtableBytes, value, keyCacheBytes, flushThreads, scanThreads, shared);
  }

  ResourceOptions withKeyCacheBytes(long value) {
    return new ResourceOptions(
        memoryBytes, memtableBytes, chunkCacheBytes, value, flushThreads, scanThreads, shared);
  }

  ResourceOptions withFlushThreads(int value) {
    return new ResourceOptions(
        memoryBytes, memtableBytes, chunkCacheBytes, keyCacheBytes, value, scanThreads, shared);
  }

  ResourceOptions withScanThreads(int value) {
    return new ResourceOptions(
        memoryBytes, memtableBytes, chunkCacheBytes, keyCacheBytes, flushThreads, value, shared);
  }

  ResourceOptions withShared(@Nullable SharedResources value) {
    return new ResourceOptions(
        memoryBytes,
        memtableBytes,
        chunkCacheBytes,
        keyCacheBytes,
        flushThreads,
        scanThreads,
        value);
  }

  /** Adds the options that were given. */
  void addTo(OptionsText text) {
    given().forEach((name, value) -> text.add(name, value, null));
    text.addClass("sharedResources", shared, null);
  }

  /** Returns the options in force: these, or those of the shared resources. */
  private ResourceOptions own() {
    return shared == null ? this : shared.limits();
  }

  long memory() {
    return orDefault(own().memoryBytes, DEFAULT_MEMORY_BYTES);
  }

  long memtables() {
    return orDefault(own().memtableBytes, DEFAULT_MEMTABLE_BYTES);
  }

  /** For reading only, the default leaves half of the memory to everything else. */
  long chunkCache(boolean isReadOnly) {
    ResourceOptions own = own();
    long most = isReadOnly && shared == null ? memory() / 2 : Long.MAX_VALUE;
    return orDefault(own.chunkCacheBytes, Math.min(DEFAULT_CHUNK_CACHE_BYTES, most));
  }

  long keyCache() {
    return orDefault(own().keyCacheBytes, DEFAULT_KEY_CACHE_BYTES);
  }

  int flushes() {
    return orDefault(own().flushThreads, DEFAULT_FLUSH_THREADS);
  }

  /** Returns the scan threads; none on one processor, where another thread would only cost time. */
  int scans() {
    return orDefault(
        own().scanThreads, Math.min(Runtime.getRuntime().availableProcessors() - 1, 4));
  }

  /** Returns the compaction of a database that has chosen none. */
  Compaction compaction() {
    return shared == null ? Compaction.found() : shared.compaction();
  }

  private static long orDefault(@Nullable Long value, long other) {
    return value == null ? other : value;
  }

  private static int orDefault(@Nullable Integer value, int other) {
    return value == null ? other : value;
  }

  /** Returns whether sizes that were given are more than what is granted. */
  boolean askForMoreThan(MemoryLimit granted) {
    return orDefault(memoryBytes, 0) > granted.allBytes()
        || orDefault(memtableBytes, 0) > granted.memtableBytes()
        || orDefault(chunkCacheBytes, 0) > granted.chunkCacheBytes();
  }

  /**
   * Checks the values.
   *
   * @param isReadOnly whether there is neither a log nor a flush, and memtables have what the log
   *     had
   * @param logBytes the buffer of the commit log
   * @param wrong takes a message for each value that is not allowed
   */
  void check(boolean isReadOnly, long logBytes, List<String> wrong) {
    if (shared != null) {
      checkUnset(wrong);
      return;
    }
    if (memtables() < MIB) {
      wrong.add("memtableBytes " + memtables() + ", allowed 1 MiB or more");
    }
    long chunks = chunkCache(isReadOnly);
    if (chunks < 0) {
      wrong.add("chunkCacheBytes " + chunks + ", allowed 0 or more");
    }
    if (keyCache() < 0) {
      wrong.add("keyCacheBytes " + keyCache() + ", allowed 0 or more");
    }
    long forWrites = isReadOnly ? 0 : sum(memtables(), logBytes);
    long parts = sum(sum(forWrites, chunks), MemtablePool.FLUSH_BYTES);
    if (memory() < parts) {
      wrong.add(
          "memoryBytes "
              + memory()
              + ", allowed "
              + parts
              + (isReadOnly
                  ? " or more: chunkCacheBytes and 1 MiB"
                  : " or more: memtableBytes, chunkCacheBytes, the commit log's buffer, and 1 MiB"
                      + " for a flush"));
    }
    if (flushes() < 1 || flushes() > 64) {
      wrong.add("flushThreads " + flushes() + ", allowed 1 to 64");
    }
    if (scans() < 0 || scans() > 64) {
      wrong.add("scanThreads " + scans() + ", allowed 0 to 64");
    }
  }

  private void checkUnset(List<String> wrong) {
    given()
        .forEach(
            (name, value) ->
                wrong.add(
                    name + " " + value + ", allowed only without sharedResources, which has it"));
  }

  /** Returns the sizes and numbers of threads that were given, by the names of the options. */
  private Map<String, Object> given() {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("memoryBytes", memoryBytes);
    all.put("memtableBytes", memtableBytes);
    all.put("chunkCacheBytes", chunkCacheBytes);
    all.put("keyCacheBytes", keyCacheBytes);
    all.put("flushThreads", flushThreads);
    all.put("scanThreads", scanThreads);
    Map<String, Object> given = new LinkedHashMap<>();
    all.forEach(
        (name, value) -> {
          if (value != null) {
            given.put(name, value);
          }
        });
    return given;
  }

  /** Adds two sizes; returns the greatest number if the sum exceeds it. */
  private static long sum(long first, long second) {
    boolean isTooGreat = first > 0 && second > Long.MAX_VALUE - first;
    return isTooGreat ? Long.MAX_VALUE : first + second;
  }
}
